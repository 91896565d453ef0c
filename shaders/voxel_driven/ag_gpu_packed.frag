#version 450 core
// AG-GPU for four slices a texel: one interpolated position, plus an offset, serves all four.
#include "voxel_driven/four_slices.glsl"
#include "voxel_driven/accumulate/blend.glsl"  // or ping_pong, image

const int positions = VIEWS > 1 ? VIEWS : 2;
in Detector { noperspective POSITION position[positions]; } detector;

vec4 sum_views() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < VIEWS; ++i) sum += contributions(detector.position[i], view_of(i), layer_of(i));
  return sum;
}

void main() {
  vec4 sum = sum_views();
  if (again()) sum = sum_views();
  add_to_volume(unit * sum);
}
