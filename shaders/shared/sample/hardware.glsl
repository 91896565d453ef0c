// One layer through the texture unit's filter, zero outside. Positions are fractions of the image, which need no more
// arithmetic; weights have the hardware's 8 bits. `size` is in pixels, `scale` = 1 / size.
#include "shared/bilinear.glsl"

float sample_view(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  return textureLod(views, vec3(position, layer), 0.0).r;
}

vec2 in_pixels(vec2 position, vec2 size) { return position * size - 0.5; }

vec2 from_pixels(vec2 position, vec2 size) { return (position + 0.5) / size; }

/// Converts a place in pixels from the image's middle.
vec2 from_middle(vec2 at, vec2 size) { return at / size + 0.5; }

/// Whether all pixels of the interpolation at this position lie within the image.
bool within_image(vec2 position, vec2 size, vec2 scale) {
  return all(lessThanEqual(abs(position - 0.5), 0.5 - 0.5 * scale));
}
