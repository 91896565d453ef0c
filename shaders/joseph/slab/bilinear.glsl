// Joseph: a slice's value at the ray, times the ray's share of the slab.
VALUE slab_value(RayRows r, Ray ray, vec2 place, float s, float layer) {
  return slab_share(r, ray.sense, s) * sample_stack(place, layer);
}
