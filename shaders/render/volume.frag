#version 450 core
// Rays through a volume, one per fragment. Stores instead of blending, so that all modes and tiles work alike.
#include "render/volume.glsl"

void main() { trace(ivec2(gl_FragCoord.xy)); }
