// Joseph: the value of a slice where the ray meets it counts for the ray's length in the slab.
VALUE slab_value(RayRows r, Ray ray, vec2 place, float s, float layer) {
  return slab_share(r, ray.sense, s) * sample_stack(place, layer);
}
