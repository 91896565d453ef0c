#version 450 core
// Sums along the rows of some views: each cell times its ray's length in a slab, less `mean`, less the mean of what is
// then left in the column. That column mean is stored beyond the last edge. An invocation works on one column.
layout(local_size_x = 32, local_size_y = 1) in;
#include "distance_driven/views.glsl"

layout(binding = 0) uniform sampler2DArray projections;
layout(binding = 0, r32f) writeonly uniform image2DArray sums;
uniform int first_view, view_stride;
uniform int first_layer, layer_stride;
uniform float mean;

void main() {
  int c = int(gl_GlobalInvocationID.x), image = int(gl_GlobalInvocationID.y), view = first_view + image * view_stride;
  if (c >= detector.x) return;
  Column column = columns[view * (detector.x + 1) + c];
  int at = kinds[view].y != 0 ? detector.x - 1 - c : c;
  double sum = 0.0, level = 0.0;
  imageStore(sums, ivec3(c + 1, 0, image), vec4(0.0));
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (int row = 0; row < detector.y; ++row) {
      float cell = texelFetch(projections, ivec3(at, row, first_layer + image * layer_stride), 0).r;
      sum += double(cell * length_in_slab(column, float(row)) - mean) - level;
      if (sweep == 1) imageStore(sums, ivec3(c + 1, row + 1, image), vec4(float(sum)));
    }
    if (sweep == 0) level = sum / double(detector.y);
    sum = 0.0;
  }
  imageStore(sums, ivec3(c + 1, detector.y + 1, image), vec4(0.0));
  imageStore(sums, ivec3(c + 1, detector.y + 2, image), vec4(float(level)));
}
