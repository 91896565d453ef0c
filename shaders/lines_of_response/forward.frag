#version 450 core
// A fragment is a line of a row; blended where sums accumulate.
#include "lines_of_response/line.glsl"

layout(binding = 0) uniform sampler2DArray volume;
layout(location = 0) out float value;

void main() {
  int id = first_row * width + int(gl_FragCoord.x);
  value = id < line_count ? line_integral(id, volume) : 0.0;
}
