// Gradient (per mm) and value from differences of values, where slopes are not stored. Along rays gradients are found
// where values are visible.
uniform float slope_step;  // mm

vec4 reconstruct_slopes(vec3 point) {
  vec4 sum = vec4(vec3(0.0), reconstruct(point));
  for (int a = 0; a < 3; ++a) {
    vec3 h = slope_step * vec3(a == 0, a == 1, a == 2);
    sum[a] = (reconstruct(point + h) - reconstruct(point - h)) / (2.0 * slope_step);
  }
  return sum;
}

void reconstruct_slopes_along(vec3 origin, vec3 direction, float t[SAMPLES], out vec4 value[SAMPLES]) {
  float f[SAMPLES];
  reconstruct_along(origin, direction, t, f);
  for (int k = 0; k < SAMPLES; ++k)
    value[k] = classify(f[k]).a > 0.0 ? reconstruct_slopes(origin + t[k] * direction) : vec4(vec3(0.0), f[k]);
}
