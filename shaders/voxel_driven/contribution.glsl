// What a view gives to a voxel, for fragments and compute invocations alike.
//   PARALLEL, CURVED  the beam and the detector; flat cone otherwise
//   WEIGHT_FDK        times (R / depth)^2
//   BORDER_IN_SOFTWARE  hardware filters but on the detector's border, where its weights of 8 bits would leave out voxels
//                     of which a view sees next to nothing, and be off by a fifth where it sees a hundredth
//   SOURCE_INSIDE     some source lies beside or within the grid: points behind it get nothing
#include "shared/views.glsl"
#include "shared/fan_angle.glsl"
#include "shared/sample_view.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform vec2 pixel_scale;  // 1 / columns, 1 / rows of the detector
#ifndef WEIGHT_FDK  // d2vr, which always weighs so, has one of its own
uniform vec2 detector_size;  // columns, rows

/// Whether all pixels that a view is interpolated from at such a place are pixels of the detector.
bool within_border(vec2 place) {
#ifdef SAMPLE_EXACT
  vec2 middle = 0.5 * detector_size - 0.5;
  return all(lessThanEqual(abs(place - middle), middle));
#else
  return all(lessThanEqual(abs(place - 0.5), 0.5 - 0.5 * pixel_scale));
#endif
}

/// A view, or one of ones, on the border.
float sample_border(sampler2DArray images, vec2 place, float layer) {
#ifndef SAMPLE_EXACT
  place = place * detector_size - 0.5;
#endif
  return sample_in_software(images, place, pixel_scale, layer);
}
#endif

#ifdef BORDER_IN_SOFTWARE
// Sums are made without a branch for each view, and again where contribution() tells that they met the border.
bool border_met = false, samples_border = false;
#endif

/// Where on the detector, in what sample_view() takes, and FDK's weight there.
vec2 detector_position(POSITION p, int view, out float weight) {
#if defined(PARALLEL)
  weight = 1.0;
  return p;
#elif defined(CURVED)
  float square = p.x * p.x + p.z * p.z;
  float distance = sqrt(square);
  vec4 curve = views[view].curve;
  weight = 1.0 / square;
  return curve.xy + curve.zw * vec2(fan_angle(p.x, p.z, distance), p.y / distance);
#else
  float inverse = 1.0 / p.z;
  weight = inverse * inverse;
  return p.xy * inverse;
#endif
}

bool behind_source(POSITION p) {
#ifdef SOURCE_INSIDE
  return p.z <= 0.0;
#else
  return false;
#endif
}

float contribution(POSITION p, int view, float layer) {
  if (behind_source(p)) return 0.0;
  float weight;
  vec2 place = detector_position(p, view, weight);
#ifdef BORDER_IN_SOFTWARE
  bool border = !within_border(place);
  border_met = border_met || border;
  if (samples_border && border) return sample_border(projections, place, layer);
#endif
  float q = sample_view(projections, place, pixel_scale, layer);
#ifdef WEIGHT_FDK
  q *= weight;
#endif
  return q;
}

#ifdef PACK_SLICES
// Four adjacent slices: one matrix, plus one offset.
vec4 contributions(POSITION p, int view, float layer) {
  POSITION up = coefficients(views[view], 2);
  return vec4(contribution(p, view, layer), contribution(p + up, view, layer),
              contribution(p + 2.0 * up, view, layer), contribution(p + 3.0 * up, view, layer));
}
#endif
