// One layer interpolated here in fp32, zero outside. Positions are in pixels (centres at integers). `size` is in
// pixels, `scale` = 1 / size.
#include "shared/bilinear.glsl"

float sample_view(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  return bilinear(views, position, scale, layer);
}

vec2 in_pixels(vec2 position, vec2 size) { return position; }

vec2 from_pixels(vec2 position, vec2 size) { return position; }

/// Converts a place in pixels from the image's middle.
vec2 from_middle(vec2 at, vec2 size) { return at + 0.5 * size - 0.5; }

/// Whether all pixels of the interpolation at this position lie within the image.
bool within_image(vec2 position, vec2 size, vec2 scale) {
  vec2 middle = 0.5 * size - 0.5;
  return all(lessThanEqual(abs(position - middle), middle));
}
