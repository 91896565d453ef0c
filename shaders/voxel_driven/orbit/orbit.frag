#version 450 core
// AG-GPU for one orbit and GROUPS groups, with interpolated a and b; the blend unit adds passes.
#include "voxel_driven/orbit/orbit_fetch.glsl"

uniform int first_group;
in Orbit { noperspective vec2 place[GROUPS]; } orbit;
out vec4 value;

void main() {
  float height = height_of(gl_Layer);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < GROUPS; ++i) add_group(orbit.place[i], height, first_group + i, sum);
  value = sum;
}
