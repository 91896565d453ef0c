#version 450 core
// An invocation is a line.
layout(local_size_x = 64) in;
#include "lines_of_response/line.glsl"

layout(binding = 0, r32f) uniform image2DArray values;
layout(binding = 0) uniform sampler2DArray volume;
uniform int accumulate;

void main() {
  int column = int(gl_GlobalInvocationID.x), i = int(gl_GlobalInvocationID.y), row = first_row + i * stride;
  if (column >= width) return;
  int id = row * width + column;
  ivec3 to = ivec3(column, 0, compact != 0 ? i : row);
  float sum = id < line_count ? line_integral(id, volume) : 0.0;
  if (accumulate != 0) sum += imageLoad(values, to).r;
  imageStore(values, to, vec4(sum));
}
