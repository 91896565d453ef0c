// FDK at SAMPLES points origin + t direction together: positions on the detector are affine along the ray.
#include "d2vr/reconstruct.glsl"

void reconstruct_along(vec3 origin, vec3 direction, float t[SAMPLES], out float value[SAMPLES]) {
  for (int k = 0; k < SAMPLES; ++k) value[k] = 0.0;
  for (int i = first_view; i < view_end; i += view_stride) {
    POSITION start = carry(views[i], vec4(origin, 1.0)), step = carry(views[i], vec4(direction, 0.0));
    for (int k = 0; k < SAMPLES; ++k) value[k] += contribution(start + t[k] * step, i, float(i));
  }
  for (int k = 0; k < SAMPLES; ++k) value[k] *= gain;
}
