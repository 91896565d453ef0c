#version 450 core
// A fragment a voxel, slices drawn as by shared/slice.vert; the blend unit adds up passes.
#include "shared/line_gather.glsl"

out float value;

void main() { value = gather(vec3(gl_FragCoord.xy - 0.5, gl_Layer)); }
