#version 450 core
// A line an invocation. Sums are integers, `scale` such that all lines of a call together cannot overflow; or, with
// FLOATING, the bits of floating-point numbers, which OpenGL 4.5 has no addition for: what is there is replaced by what
// it should become until nobody else was faster.
layout(local_size_x = 64) in;
#include "lines_of_response/line.glsl"

layout(binding = 0, r32i) coherent uniform iimage2DArray sums;
layout(binding = 0) uniform sampler2DArray values;
uniform float scale;

void add(ivec3 voxel, float amount) {
#ifdef FLOATING
  int seen = imageLoad(sums, voxel).r, expected;
  do {
    expected = seen;
    seen = imageAtomicCompSwap(sums, voxel, expected, floatBitsToInt(intBitsToFloat(expected) + amount));
  } while (seen != expected);
#else
  imageAtomicAdd(sums, voxel, int(round(amount)));
#endif
}

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
    vec2 at = l.way.xz + float(s) * l.way.yw;
    ivec2 low = ivec2(max(ceil(at - f.reach), 0.0)), high = ivec2(min(floor(at + f.reach), f.size.yz - 1.0));
    float share = value * slice_share(l, f, float(s));
    for (int b = low.y; b <= high.y; ++b)
      for (int a = low.x; a <= high.x; ++a) {
        float w = weight_at(f, vec2(a, b) - at);
        if (w > 0.0) add(voxel_at(f.axis, s, a, b), w * share);
      }
  }
}
