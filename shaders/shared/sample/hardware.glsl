// One layer as the texture unit filters it, zero outside: positions are fractions of the image, which need no more
// arithmetic, and weights have the 8 bits of hardware. `size` is in pixels, `scale` = 1 / size.
#include "shared/bilinear.glsl"

float sample_view(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  return textureLod(views, vec3(position, layer), 0.0).r;
}

vec2 in_pixels(vec2 position, vec2 size) { return position * size - 0.5; }

vec2 from_pixels(vec2 position, vec2 size) { return (position + 0.5) / size; }

/// From a place that counts pixels from the image's middle.
vec2 from_middle(vec2 at, vec2 size) { return at / size + 0.5; }

/// Whether all pixels that are interpolated between at such a position lie within the image.
bool within_image(vec2 position, vec2 size, vec2 scale) {
  return all(lessThanEqual(abs(position - 0.5), 0.5 - 0.5 * scale));
}
