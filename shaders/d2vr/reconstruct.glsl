// FDK at any point in mm: the sum over views of what they give to it (Rautek et al., D2VR, EuroVis 2006). Layers, rows of
// the table and views are one and the same number. Defines as in backproject/contribution.glsl.
#include "voxel_driven/contribution.glsl"

layout(binding = 1) uniform sampler2DArray slopes;  // (q, dq/dcolumn, dq/drow), positions as fractions of the detector

uniform int view_end;         // of every view_stride-th view from first_view on
uniform float gain;           // undoes the scale of the stored values, stands in for views left out
uniform vec2 detector_size;   // columns, rows

float reconstruct(vec3 point) {
  float sum = 0.0;
  for (int i = first_view; i < view_end; i += view_stride)
    sum += contribution(carry(views[i], vec4(point, 1.0)), i, float(i));
  return gain * sum;
}

#ifdef SAMPLES
// At SAMPLES points origin + t direction together: positions on the detector are affine along the ray.
void reconstruct_along(vec3 origin, vec3 direction, float t[SAMPLES], out float value[SAMPLES]) {
  for (int k = 0; k < SAMPLES; ++k) value[k] = 0.0;
  for (int i = first_view; i < view_end; i += view_stride) {
    POSITION start = carry(views[i], vec4(origin, 1.0)), step = carry(views[i], vec4(direction, 0.0));
    for (int k = 0; k < SAMPLES; ++k) value[k] += contribution(start + t[k] * step, i, float(i));
  }
  for (int k = 0; k < SAMPLES; ++k) value[k] *= gain;
}
#endif

#ifdef SLOPES
// What a view gives to gradient (per mm) and value, from one fetch. In the names of view_gradient.hpp, with depth d:
// grad q / d^2 = (q_u grad u + q_v grad v - 2 q / d grad d) / d^2. `p` is (a, b, w), or (a, b) of parallel beams.
vec4 slope_contribution(ViewRows m, POSITION p, float layer) {
#if defined(PARALLEL)
  vec3 q = textureLod(slopes, vec3(p, layer), 0.0).rgb;
  q.yz *= detector_size;
  return vec4(q.y * m.a.xyz + q.z * m.b.xyz, q.x);
#else
#ifdef SOURCE_INSIDE
  if (p.z <= 0.0) return vec4(0.0);
#endif
#ifdef CURVED
  float square = p.x * p.x + p.z * p.z, inverse = inversesqrt(square), rise = p.y * inverse;
  vec2 at = m.curve.xy + m.curve.zw * vec2(fan_angle(p.x, p.z, square * inverse), rise);
  vec3 q = textureLod(slopes, vec3(at, layer), 0.0).rgb * (inverse * inverse);
  q.yz *= detector_size * m.curve.zw;
  vec3 away = (p.x * m.a.xyz + p.z * m.w.xyz) * inverse;
  vec3 turn = q.y * inverse * (p.z * m.a.xyz - p.x * m.w.xyz);
  return vec4((turn + q.z * (m.b.xyz - rise * away) - 2.0 * q.x * away) * inverse, q.x);
#else
  float inverse = 1.0 / p.z;
  vec2 at = p.xy * inverse;
  vec3 q = textureLod(slopes, vec3(at, layer), 0.0).rgb * (inverse * inverse);
  q.yz *= detector_size;
  return vec4((q.y * m.a.xyz + q.z * m.b.xyz - (dot(at, q.yz) + 2.0 * q.x) * m.w.xyz) * inverse, q.x);
#endif
#endif
}

// Gradient (per mm) and value.
vec4 reconstruct_slopes(vec3 point) {
  vec4 sum = vec4(0.0);
  for (int i = first_view; i < view_end; i += view_stride)
    sum += slope_contribution(views[i], carry(views[i], vec4(point, 1.0)), float(i));
  return gain * sum;
}
#else
uniform float slope_step;  // mm

// The same from differences, where slopes are not at hand.
vec4 reconstruct_slopes(vec3 point) {
  vec4 sum = vec4(vec3(0.0), reconstruct(point));
  for (int a = 0; a < 3; ++a) {
    vec3 h = slope_step * vec3(a == 0, a == 1, a == 2);
    sum[a] = (reconstruct(point + h) - reconstruct(point - h)) / (2.0 * slope_step);
  }
  return sum;
}
#endif

#ifdef SAMPLES
void reconstruct_slopes_along(vec3 origin, vec3 direction, float t[SAMPLES], out vec4 value[SAMPLES]) {
#ifdef SLOPES
  for (int k = 0; k < SAMPLES; ++k) value[k] = vec4(0.0);
  for (int i = first_view; i < view_end; i += view_stride) {
    POSITION start = carry(views[i], vec4(origin, 1.0)), step = carry(views[i], vec4(direction, 0.0));
    for (int k = 0; k < SAMPLES; ++k) value[k] += slope_contribution(views[i], start + t[k] * step, float(i));
  }
  for (int k = 0; k < SAMPLES; ++k) value[k] *= gain;
#else
  for (int k = 0; k < SAMPLES; ++k) value[k] = reconstruct_slopes(origin + t[k] * direction);
#endif
}
#endif
