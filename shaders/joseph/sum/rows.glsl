// The sums along the rays of four rows of the detector over the slices of one texture.
#include "joseph/rows.glsl"

vec4 line_integral(RayRows r, vec2 pixel) {
  Four f = four_rays(r, pixel);
  if (!(f.from <= f.to)) return vec4(0.0);
  float s = ceil(f.from + middle_slice) - middle_slice, last = floor(f.to + middle_slice) - middle_slice;
  vec4 sum = vec4(0.0);
  for (int left = min(int(last - s) + 1, slice_count); left > 0; --left, s += 1.0)
    sum += slice_value(r, f, s, s + middle_slice - float(first_slice));
  return sum * f.weight * unit;
}
