#version 450 core
// A pixel of a plane through the object, from views.
#include "d2vr/plane.glsl"
#include "d2vr/reconstruct.glsl"
out float value;
void main() { value = reconstruct(plane_point(gl_FragCoord.xy - 0.5)); }
