// Steps from the detector's middle along the direction of columns, along v and back towards the source.
#include "shared/sine.glsl"

vec4 pixel_vector(RayRows r, vec2 pixel) {
  vec2 p = pixel - middle;
  float radius = r.more.z;
  float half_sine = sine(0.5 * p.x / radius);
  float back = 2.0 * radius * half_sine * half_sine;
  return vec4(2.0 * radius * half_sine * sqrt(1.0 - half_sine * half_sine), p.y, back, 1.0);
}
