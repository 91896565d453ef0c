#version 450 core
// Makes the input of gather_columns.comp: [view][row][column], rows upwards along z.
#include "joseph/weigh_columns.glsl"
layout(local_size_x = 32, local_size_y = 8) in;

layout(std430, binding = 3) writeonly buffer Weighed { float weighed[]; };
uniform int first_view, view_stride;
uniform int projection;  // layer of the first view
uniform int projection_stride;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, ivec2(columns, rows)))) return;
  float value = pixel_of(at.xy, projection + at.z * projection_stride);
  weighed[(at.z * rows + at.y) * columns + at.x] = length_in_slab(first_view + at.z * view_stride, at.xy) * value;
}
