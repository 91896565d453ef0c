// FDK at any point in mm: the sum over views of what they give to it (Rautek et al., D2VR, EuroVis 2006). Layers, rows of
// the table and views are one and the same number. Defines as in backproject/contribution.glsl.
#include "backproject/contribution.glsl"

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
// Gradient (per mm) and value, from one fetch a view. In the names of view_gradient.hpp, with depth d:
// grad sum q / d^2 = sum (q_u grad u + q_v grad v - 2 q / d grad d) / d^2.
vec4 reconstruct_slopes(vec3 point) {
  vec4 sum = vec4(0.0);
  for (int i = first_view; i < view_end; i += view_stride) {
    ViewRows m = views[i];
    vec4 p = vec4(point, 1.0);
    float a = dot(m.a, p), b = dot(m.b, p);
#if defined(PARALLEL)
    vec3 q = textureLod(slopes, vec3(a, b, float(i)), 0.0).rgb;
    q.yz *= detector_size;
    sum += vec4(q.y * m.a.xyz + q.z * m.b.xyz, q.x);
#else
    float w = dot(m.w, p);
    if (w <= 0.0) continue;
#ifdef CURVED
    float square = a * a + w * w, inverse = inversesqrt(square), rise = b * inverse;
    vec2 at = m.curve.xy + m.curve.zw * vec2(fan_angle(a, w, square * inverse), rise);
    vec3 q = textureLod(slopes, vec3(at, float(i)), 0.0).rgb * (inverse * inverse);
    q.yz *= detector_size * m.curve.zw;
    vec3 away = (a * m.a.xyz + w * m.w.xyz) * inverse;
    sum += vec4((q.y * inverse * (w * m.a.xyz - a * m.w.xyz) + q.z * (m.b.xyz - rise * away) - 2.0 * q.x * away) * inverse,
                q.x);
#else
    float inverse = 1.0 / w, u = a * inverse, v = b * inverse;
    vec3 q = textureLod(slopes, vec3(u, v, float(i)), 0.0).rgb * (inverse * inverse);
    q.yz *= detector_size;
    sum += vec4((q.y * m.a.xyz + q.z * m.b.xyz - (u * q.y + v * q.z + 2.0 * q.x) * m.w.xyz) * inverse, q.x);
#endif
#endif
  }
  return gain * sum;
}
#endif
