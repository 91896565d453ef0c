#version 450 core
// A plane through the object, from views. SAMPLES tiles of 8 x 8 pixels, one below the other, share the fetches of the
// views' matrices.
#include "d2vr/plane.glsl"
#include "d2vr/reconstruct_along.glsl"
#include "shared/tile.glsl"

layout(binding = 0, r32f) writeonly uniform image2D image;

void main() {
  ivec2 pixel = ivec2(gl_WorkGroupID.xy) * ivec2(8, 8 * SAMPLES) + tile_pixel();
  float t[SAMPLES], value[SAMPLES];
  for (int k = 0; k < SAMPLES; ++k) t[k] = float(8 * k);
  if (SAMPLES == 1) value[0] = reconstruct(plane_point(vec2(pixel)));
  else reconstruct_along(plane_point(vec2(pixel)), down, t, value);
  // Stores outside the image do nothing.
  for (int k = 0; k < SAMPLES; ++k) imageStore(image, pixel + ivec2(0, 8 * k), vec4(value[k]));
}
