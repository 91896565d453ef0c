// The sum along a ray over the slices of one texture, UNROLLED at a time.
#include "joseph/stack.glsl"

VALUE line_integral(RayRows r, vec2 pixel) {
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, pixel), ray);
  if (!here) return VALUE(0.0);
  float from = float(from_slice) - middle_slice, to = from + float(slice_count - 1);
  narrow(ray.at.x, ray.step.x, 0.5 * slice_size.x + 0.5, from, to);
  narrow(ray.at.y, ray.step.y, 0.5 * slice_size.y + 0.5, from, to);
  if (!(from <= to)) return VALUE(0.0);
  // Counted from the middle, where numbers are smallest.
  float s = ceil(from + middle_slice) - middle_slice, last = floor(to + middle_slice) - middle_slice;
  float to_layer = middle_slice - float(first_slice);
  vec2 step = ray.step * place_scale(), at = ray.at * place_scale() + place_shift();
  VALUE sum = VALUE(0.0);
  // Counts the steps, so that the loop always ends, even with rounding errors in its bounds.
  int left = min(int(last - s) + 1, slice_count);
  for (; UNROLLED > 1 && left >= UNROLLED; left -= UNROLLED, s += float(UNROLLED))
    for (int k = 0; k < UNROLLED; ++k) {
      float here = s + float(k);
      sum += slab_value(r, ray, at + here * step, here, here + to_layer);
    }
  for (; left > 0; --left, s += 1.0) sum += slab_value(r, ray, at + s * step, s, s + to_layer);
  return sum * (ray.length * unit);
}
