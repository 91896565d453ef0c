#version 450 core
// A fragment is a voxel, slices are drawn as in shared/slice.vert; the blend unit adds passes.
#include "shared/line_gather.glsl"

out float value;

void main() { value = gather(vec3(gl_FragCoord.xy - 0.5, gl_Layer)); }
