#version 450 core
// A fragment a voxel, slices drawn as by shared/slice.vert; the blend unit adds up passes.
#include "joseph/gather.glsl"

uniform int first_slice;
uniform vec2 first_column_row;  // of the grid, that texel 0 0 holds
out float value;

void main() {
  float sums[1] = float[1](0.0);
  gather(vec3(gl_FragCoord.xy - 0.5 + first_column_row, float(first_slice + gl_Layer)), sums);
  value = sums[0];
}
