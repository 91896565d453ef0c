// SART's correction: a voxel moves by `relaxation` times the mean of what the views show where it falls on them, which is
// A'y / A'1 of the voxel-driven A'.
#include "backproject/contribution.glsl"

uniform vec2 detector_size;  // columns, rows
uniform float relaxation;
uniform float least;  // value of a voxel

/// What contribution() would be of a view of ones: the share of the bilinear kernel that lies on the detector.
float coverage(vec2 pixel) {
  vec2 share = clamp(min(pixel + 1.0, detector_size - pixel), 0.0, 1.0);
  return share.x * share.y;
}

/// Adds what a view shows at `place`, and its share. The border is sampled in software: a share of a hundredth, filtered
/// with the hardware's weights of 8 bits, would be off by a fifth, and so would their quotient.
void add_view(vec2 place, float layer, inout float sum, inout float seen) {
#ifdef SAMPLE_EXACT
  vec2 pixel = place;
#else
  vec2 pixel = place * detector_size - 0.5;
#endif
  float share = coverage(pixel);
  sum += share < 1.0 ? sample_in_software(projections, pixel, pixel_scale, layer)
                     : sample_view(projections, place, pixel_scale, layer);
  seen += share;
}

void add_view(POSITION position, int view, float layer, inout float sum, inout float seen) {
  if (behind_source(position)) return;
  float weight;
  add_view(detector_position(position, view, weight), layer, sum, seen);
}

float relaxed(float old, float sum, float seen, int count) {
  return max(old + (seen > 1e-6 * float(count) ? relaxation * sum / seen : 0.0), least);
}
