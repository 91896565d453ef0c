#version 450 core
// Views are layers, drawn as by backproject/slice.vert.
#include "emission/pass.glsl"

out vec2 value;

void main() { value = value_at(ivec3(gl_FragCoord.xy, gl_Layer)); }
