// A view's contribution to a voxel at position p: the perspective divide, one fetch, the weight by depth.
#include "voxel_driven/views.glsl"
#include "voxel_driven/fetch/plain.glsl"   // or exact_border
#include "voxel_driven/weight/fdk.glsl"    // or none
#include "shared/source/outside.glsl"      // or inside

float contribution(POSITION p, int view, float layer) {
  if (source_inside && depth_of(p) <= 0.0) return 0.0;
  float weight;
  vec2 place = divided(p, view, weight);
  return weighted(fetch(place, layer), weight);
}
