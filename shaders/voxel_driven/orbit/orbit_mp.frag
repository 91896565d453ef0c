#version 450 core
// MP-GPU for one orbit and GROUPS groups (a number, or group_count for a loop), which computes its position itself; the
// blend unit adds passes.
#include "voxel_driven/orbit/orbit_fetch.glsl"

uniform int first_group, group_count;
out vec4 value;

void main() {
  float height = height_of(gl_Layer);
  vec2 place = orbit_place(gl_FragCoord.xy);
  vec4 sum = vec4(0.0);
  for (int i = 0; i < GROUPS; ++i) add_group(in_view(place, first_group + i), height, first_group + i, sum);
  value = sum;
}
