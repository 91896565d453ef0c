#version 450 core
// MP-GPU (Xu & Mueller, Phys. Med. Biol. 52 (2007) 3405): one voxel, which applies the matrix of each view itself.
// VIEWS is a number, or view_count for a loop over all views of the pass.
#include "voxel_driven/contribution.glsl"
#include "voxel_driven/accumulate/blend.glsl"  // or ping_pong, image
#include "voxel_driven/texel.glsl"

float sum_views() {
  vec3 voxel = voxel_drawn();
  float sum = 0.0;
  for (int i = 0; i < VIEWS; ++i) {
    int view = view_of(i);
    sum += contribution(place_of(views[view], voxel), view, layer_of(i));
  }
  return sum;
}

void main() {
  float sum = sum_views();
  if (again()) sum = sum_views();
  add_to_volume(vec4(unit * sum));
}
