// Contribution of a group of four views to an orbit: four fetches make sixteen updates. Channel j is the orbit's voxel
// j.
#include "voxel_driven/orbit/orbit.glsl"

layout(binding = 0) uniform sampler2DArray projections;

void add_group(vec2 ab, float height, int group, inout vec4 sum) {
  for (int j = 0; j < 4; ++j) {
    vec2 at = orbit_voxel(ab.x, ab.y, j);
    float r = reciprocal_depth(at.x);
    vec2 place = detector.xz + detector.yw * (r * vec2(at.y, height));
    vec4 t = textureLod(projections, vec3(place, float(group)), 0.0);
    sum += weight_at(r) * turned(t, j);
  }
}
