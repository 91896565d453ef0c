// The place in slice s where the fragment's own ray meets it.
vec2 place_in_slice(Ray ray, float s) {
  return ray.at * place_scale() + place_shift() + s * ray.step * place_scale();
}
