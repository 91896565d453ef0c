// What a view gives to a voxel, for fragments and compute invocations alike.
//   PARALLEL, CURVED  the beam and the detector; flat cone otherwise
//   WEIGHT_FDK        times (R / depth)^2
//   SOURCE_INSIDE     some source lies beside or within the grid: points behind it get nothing
#include "shared/views.glsl"
#include "shared/fan_angle.glsl"
#include "shared/sample_view.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform vec2 pixel_scale;  // 1 / columns, 1 / rows of the detector

float contribution(POSITION p, int view, float layer) {
#if defined(PARALLEL)
  return sample_view(projections, p, pixel_scale, layer);
#else
#ifdef SOURCE_INSIDE
  if (p.z <= 0.0) return 0.0;
#endif
#ifdef CURVED
  float square = p.x * p.x + p.z * p.z;
  float distance = sqrt(square);
  vec4 curve = views[view].curve;
  vec2 position = curve.xy + curve.zw * vec2(fan_angle(p.x, p.z, distance), p.y / distance);
  float weight = 1.0 / square;
#else
  float inverse = 1.0 / p.z;
  vec2 position = p.xy * inverse;
  float weight = inverse * inverse;
#endif
  float q = sample_view(projections, position, pixel_scale, layer);
#ifdef WEIGHT_FDK
  q *= weight;
#endif
  return q;
#endif
}
