// Gradient (per mm) and value from views stored with their slopes: one fetch a view.
layout(binding = 1) uniform sampler2DArray slopes;  // (q, dq/dcolumn, dq/drow), positions as fractions of the detector
#include "d2vr/slope/cone.glsl"  // or curved, parallel

vec4 slope_contribution(ViewRows m, POSITION p, float layer) {
  if (source_inside && depth_of(p) <= 0.0) return vec4(0.0);
  return slope_of_view(m, p, layer);
}

vec4 reconstruct_slopes(vec3 point) {
  vec4 sum = vec4(0.0);
  for (int i = first_view; i < view_end; i += view_stride)
    sum += slope_contribution(views[i], carry(views[i], vec4(point, 1.0)), float(i));
  return gain * sum;
}

void reconstruct_slopes_along(vec3 origin, vec3 direction, float t[SAMPLES], out vec4 value[SAMPLES]) {
  for (int k = 0; k < SAMPLES; ++k) value[k] = vec4(0.0);
  for (int i = first_view; i < view_end; i += view_stride) {
    POSITION start = carry(views[i], vec4(origin, 1.0)), step = carry(views[i], vec4(direction, 0.0));
    for (int k = 0; k < SAMPLES; ++k) value[k] += slope_contribution(views[i], start + t[k] * step, float(i));
  }
  for (int k = 0; k < SAMPLES; ++k) value[k] *= gain;
}
