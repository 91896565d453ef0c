// A slab of the object blurs everything behind it with a Gaussian.
const bool scatters = true;
uniform bool by_attenuation, by_distance, by_direction;  // dependences of the kernel's variance

bool needs_attenuation() { return by_attenuation; }

// mm^2 added by a slab.
float slab_variance(float path, float distance) {
  return by_distance ? scatter * max(2.0 * distance * path / 10000.0, 0.0) : scatter * path / 100.0;
}

/// pixels^2
vec2 variance_of(EmissionView e, float path, vec3 here, vec3 center, float attenuation) {
  vec4 middle_or_own = vec4((by_direction ? here : center) + middle_voxel, 1.0);
  float v = slab_variance(by_direction ? path : e.stack.w, dot(e.distance, middle_or_own));
  if (by_attenuation) v *= densest > 0.0 ? attenuation / densest : 0.0;
  vec2 scale = e.pixels.xy / dot(e.depth, middle_or_own);
  return v * scale * scale;
}
