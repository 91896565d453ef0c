#version 450 core
// AG-GPU, the fragment shader (Xu & Mueller, Phys. Med. Biol. 52 (2007) 3405): one voxel. The rasteriser has
// interpolated its positions a, b, w in VIEWS views. For each view, the perspective divide, one fetch and the weight
// remain.
#include "voxel_driven/views.glsl"
#include "voxel_driven/fetch/plain.glsl"       // or exact_border
#include "voxel_driven/weight/fdk.glsl"        // or none
#include "voxel_driven/accumulate/blend.glsl"  // or ping_pong, image
#include "shared/source/outside.glsl"          // or inside

const int positions = VIEWS > 1 ? VIEWS : 2;
in Detector { noperspective POSITION position[positions]; } detector;

float sum_views() {
  float sum = 0.0;
  for (int i = 0; i < VIEWS; ++i) {
    POSITION p = detector.position[i];
    if (source_inside && depth_of(p) <= 0.0) continue;
    float weight;
    vec2 place = divided(p, view_of(i), weight);
    sum += weighted(fetch(place, layer_of(i)), weight);
  }
  return sum;
}

void main() {
  float sum = sum_views();
  if (again()) sum = sum_views();
  add_to_volume(vec4(unit * sum));
}
