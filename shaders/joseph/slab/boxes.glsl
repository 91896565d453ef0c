float box_value(vec2 cell, float layer) {
  bool inside = all(greaterThanEqual(cell, vec2(0.0))) && all(lessThan(cell, slice_size));
  return inside ? texelFetch(stack, ivec3(cell, layer), 0).r : 0.0;
}

// Siddon: voxels as boxes (engine/projectors/siddon/box_lengths.hpp). In a slice's slab a ray passes through at most
// three.
float slab_value(RayRows r, Ray ray, vec2 place, float s, float layer) {
  vec2 slab = started(r, ray.sense, s);
  if (!(slab.x < slab.y)) return 0.0;
  vec2 to_cell = 0.5 * slice_size;
  vec2 a = floor(ray.at + slab.x * ray.step + to_cell), b = floor(ray.at + slab.y * ray.step + to_cell);
  vec2 cut = clamp((max(a, b) - to_cell - ray.at) / ray.step, slab.x, slab.y);
  cut = mix(cut, slab.yy, equal(a, b));
  vec2 between = cut.x < cut.y ? vec2(b.x, a.y) : vec2(a.x, b.y);
  float first = min(cut.x, cut.y), second = max(cut.x, cut.y), sum = (first - slab.x) * box_value(a, layer);
  if (second > first) sum += (second - first) * box_value(between, layer);
  if (slab.y > second) sum += (slab.y - second) * box_value(b, layer);
  return sum;
}
