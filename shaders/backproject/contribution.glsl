// What a view gives to a voxel, for fragments and compute invocations alike.
//   PARALLEL, CURVED  the beam and the detector; flat cone otherwise
//   WEIGHT_FDK        times (R / depth)^2
//   SOURCE_INSIDE     some source lies beside or within the grid: points behind it get nothing
#include "shared/views.glsl"
#include "shared/fan_angle.glsl"
#include "shared/sample_view.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform vec2 pixel_scale;  // 1 / columns, 1 / rows of the detector

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
  vec2 position = detector_position(p, view, weight);
  float q = sample_view(projections, position, pixel_scale, layer);
#ifdef WEIGHT_FDK
  q *= weight;
#endif
  return q;
}

#ifdef PACK_SLICES
// Four adjacent slices: one matrix, plus one offset.
vec4 contributions(POSITION p, int view, float layer) {
  POSITION up = carry(views[view], vec4(0.0, 0.0, 1.0, 0.0));
  return vec4(contribution(p, view, layer), contribution(p + up, view, layer),
              contribution(p + 2.0 * up, view, layer), contribution(p + 3.0 * up, view, layer));
}
#endif
