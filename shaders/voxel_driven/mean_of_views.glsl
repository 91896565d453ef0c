// SART's correction: a voxel changes by `relaxation` times the mean of the views at its positions, which is A'y / A'1
// of the voxel-driven A'.
#include "voxel_driven/views.glsl"
#include "shared/source/outside.glsl"  // or inside

layout(binding = 2) uniform sampler2DArray view_of_ones;

uniform float relaxation;
uniform float least;  // least value of a voxel

/// Adds the value of the pass's view i at p, and the value of a view of ones.
void add_view(POSITION p, int i, inout float sum, inout float seen) {
  if (source_inside && depth_of(p) <= 0.0) return;
  float weight;
  vec2 place = divided(p, view_of(i), weight);
  bool whole = within_border(place);
  float layer = layer_of(i);
  sum += whole ? sample_view(projections, place, pixel_scale, layer) : sample_border(projections, place, layer);
  seen += whole ? 1.0 : sample_border(view_of_ones, place, 0.0);
}

float relaxed(float old, float sum, float seen, int count) {
  return max(old + (seen > 1e-6 * float(count) ? relaxation * sum / seen : 0.0), least);
}
