#version 450 core
// One orbit: four fetches a group make sixteen updates; the blend unit adds passes up. Channel j of the target is the
// orbit's voxel j.
#include "backproject/orbit.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int first_group;
uniform vec2 z;  // mm from the source's plane: z.x slice + z.y

in Orbit { noperspective vec2 place[GROUPS]; } orbit;
out vec4 value;

void main() {
  float height = z.x * float(first_slice + gl_Layer) + z.y;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < GROUPS; ++i) {
    vec2 ab = orbit.place[i];
    for (int j = 0; j < 4; ++j) {
      vec2 at = orbit_voxel(ab.x, ab.y, j);
      float r = reciprocal_depth(at.x);
      vec2 place = detector.xz + detector.yw * (r * vec2(at.y, height));
      vec4 t = textureLod(projections, vec3(place, float(first_group + i)), 0.0);
      sum += weight_at(r) * turned(t, j);
    }
  }
  value = sum;
}
