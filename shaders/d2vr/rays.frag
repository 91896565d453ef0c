#version 450 core
#include "d2vr/rays.glsl"
out vec4 found;
void main() { found = trace(march(ivec2(gl_FragCoord.xy))); }
