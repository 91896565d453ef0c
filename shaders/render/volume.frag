#version 450 core
// Rays through a volume, a fragment a pixel. It stores instead of blending, so that all modes and several tiles do alike.
#include "render/volume.glsl"

void main() { trace(ivec2(gl_FragCoord.xy)); }
