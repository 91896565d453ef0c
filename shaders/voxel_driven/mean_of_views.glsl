// SART's correction: a voxel moves by `relaxation` times the mean of what the views show where it falls on them, which is
// A'y / A'1 of the voxel-driven A'.
#include "voxel_driven/contribution.glsl"

layout(binding = 2) uniform sampler2DArray view_of_ones;

uniform float relaxation;
uniform float least;  // value of a voxel

/// Adds what a view shows at `place`, as contribution() does, and what a view of ones would.
void add_view(vec2 place, float layer, inout float sum, inout float seen) {
  bool whole = within_border(place);
  sum += whole ? sample_view(projections, place, pixel_scale, layer) : sample_border(projections, place, layer);
  seen += whole ? 1.0 : sample_border(view_of_ones, place, 0.0);
}

void add_view(POSITION position, int view, float layer, inout float sum, inout float seen) {
  if (behind_source(position)) return;
  float weight;
  add_view(detector_position(position, view, weight), layer, sum, seen);
}

float relaxed(float old, float sum, float seen, int count) {
  return max(old + (seen > 1e-6 * float(count) ? relaxation * sum / seen : 0.0), least);
}
