#version 450 core
// A fragment is a voxel, slices are drawn as in shared/slice.vert; the blend unit adds passes.
#include "joseph/gather.glsl"

uniform int first_slice;
out float value;

void main() {
  float sums[1] = float[1](0.0);
  gather(vec3(gl_FragCoord.xy - 0.5, float(first_slice + gl_Layer)), sums);
  value = sums[0];
}
