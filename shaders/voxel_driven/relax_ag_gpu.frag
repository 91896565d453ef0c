#version 450 core
// SART's correction of one voxel, from one volume to another. Its positions in VIEWS views are interpolated as in
// AG-GPU.
#include "voxel_driven/mean_of_views.glsl"
#include "voxel_driven/texel.glsl"

layout(binding = 1) uniform sampler2DArray previous;
const int positions = VIEWS > 1 ? VIEWS : 2;
in Detector { noperspective POSITION position[positions]; } detector;
out float value;

void main() {
  float sum = 0.0, seen = 0.0;
  for (int i = 0; i < VIEWS; ++i) add_view(detector.position[i], i, sum, seen);
  value = relaxed(texelFetch(previous, texel_drawn(), 0).r, unit * sum, seen, VIEWS);
}
