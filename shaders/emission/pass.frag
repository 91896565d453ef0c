#version 450 core
// Views are layers, drawn as in shared/slice.vert.
#include "emission/pass.glsl"

out vec4 value;

void main() {
  vec2 v = value_at(ivec3(gl_FragCoord.xy, gl_Layer));
  value = vec4(v, 0.0, v.y);  // alpha is transparency; the blend unit multiplies by it
}
