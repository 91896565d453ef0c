#version 450 core
#include "d2vr/cut.glsl"
out float value;
void main() { value = reconstruct(plane_point(gl_FragCoord.xy - 0.5)); }
