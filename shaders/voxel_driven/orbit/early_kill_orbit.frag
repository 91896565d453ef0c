#version 450 core
// early_kill.frag for orbits: an orbit lies in the field of view as a whole, and counts as seen when any of its voxels
// is.
#include "voxel_driven/orbit/orbit.glsl"

uniform int group_count;
uniform float radius;          // mm, of the field of view
uniform vec2 lowest, highest;  // positions on the detector between which a view contributes

bool seen(vec2 place, float height) {
  for (int i = 0; i < group_count; ++i) {
    vec2 ab = in_view(place, i);
    for (int j = 0; j < 4; ++j) {
      vec2 at = orbit_voxel(ab.x, ab.y, j);
      vec2 p = detector.xz + detector.yw * (reciprocal_depth(at.x) * vec2(at.y, height));
      if (all(greaterThan(p, lowest)) && all(lessThan(p, highest))) return true;
    }
  }
  return false;
}

void main() {
  vec2 place = orbit_place(gl_FragCoord.xy);
  if (dot(place, place) > radius * radius || !seen(place, height_of(gl_Layer))) discard;
}
