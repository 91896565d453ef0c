#version 450 core
// MP-GPU for four slices a texel: one product with a view's matrix, plus an offset, serves all four.
#include "voxel_driven/four_slices.glsl"
#include "voxel_driven/accumulate/blend.glsl"  // or ping_pong, image
#include "voxel_driven/texel.glsl"

vec4 sum_views() {
  vec3 lowest = voxel_drawn();
  vec4 sum = vec4(0.0);
  for (int i = 0; i < VIEWS; ++i) {
    int view = view_of(i);
    sum += contributions(place_of(views[view], lowest), view, layer_of(i));
  }
  return sum;
}

void main() {
  vec4 sum = sum_views();
  if (again()) sum = sum_views();
  add_to_volume(unit * sum);
}
