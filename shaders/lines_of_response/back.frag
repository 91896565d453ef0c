#version 450 core
// Adds a line's value times the pixel's weight to a pixel of a slice.
#include "lines_of_response/line.glsl"

flat in vec4 shape;
flat in vec3 middle;
layout(location = 0) out float amount;

void main() {
  Footprint f;
  f.aa = shape.x;
  f.ab2 = shape.y;
  f.bb = shape.z;
  f.first_entry = int(middle.z);
  amount = shape.w * weight_at(f, floor(gl_FragCoord.xy) - middle.xy);
}
