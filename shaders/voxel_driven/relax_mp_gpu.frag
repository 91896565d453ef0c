#version 450 core
// SART's correction of one voxel, from one volume to another. It computes its positions in VIEWS views itself, as in
// MP-GPU.
#include "voxel_driven/mean_of_views.glsl"
#include "voxel_driven/texel.glsl"

layout(binding = 1) uniform sampler2DArray previous;
out float value;

void main() {
  vec3 voxel = voxel_drawn();
  float sum = 0.0, seen = 0.0;
  for (int i = 0; i < VIEWS; ++i) add_view(place_of(views[view_of(i)], voxel), i, sum, seen);
  value = relaxed(texelFetch(previous, texel_drawn(), 0).r, unit * sum, seen, VIEWS);
}
