#version 450 core
// The transpose: an invocation adds one line to voxels by atomics.
layout(local_size_x = 64) in;
#include "lines_of_response/line.glsl"
#include "lines_of_response/sums/integers.glsl"  // or floats

layout(binding = 0) uniform sampler2DArray values;
uniform float scale;

void main() {
  int column = int(gl_GlobalInvocationID.x), i = int(gl_GlobalInvocationID.y), row = first_row + i * stride;
  int id = row * width + column;
  if (column >= width || id >= line_count) return;
  float value = scale * texelFetch(values, ivec3(column, 0, compact != 0 ? i : row), 0).r;
  if (value == 0.0) return;
  Line l = lines[id];
  Footprint f = footprint_of(l);
  ivec2 slices = slices_of(l, f);
  for (int s = slices.x; s <= slices.y; ++s) {
    vec2 at = l.path.xz + float(s) * l.path.yw;
    ivec2 low = ivec2(max(ceil(at - f.reach), 0.0)), high = ivec2(min(floor(at + f.reach), f.size.yz - 1.0));
    float share = value * slice_share(l, f, float(s));
    for (int b = low.y; b <= high.y; ++b)
      for (int a = low.x; a <= high.x; ++a) {
        float w = weight_at(f, vec2(a, b) - at);
        if (w > 0.0) add(voxel_at(f.axis, s, a, b), w * share);
      }
  }
}
