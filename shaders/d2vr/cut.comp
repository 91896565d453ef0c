#version 450 core
// SAMPLES tiles of 8 x 8 pixels, one below the other, share the fetches of the views' matrices.
#include "d2vr/cut.glsl"
#include "shared/tile.glsl"

layout(binding = 0, r32f) writeonly uniform image2D image;

void main() {
  ivec2 pixel = ivec2(gl_WorkGroupID.xy) * ivec2(8, 8 * SAMPLES) + tile_pixel();
  float value[SAMPLES];
#ifdef FROM_VOLUME
  vec3 point = plane_point(vec2(pixel));
  if (is_own(point)) imageStore(image, pixel, vec4(reconstruct(point)));
  return;
#endif
#if SAMPLES == 1
  for (int k = 0; k < SAMPLES; ++k) value[k] = reconstruct(plane_point(vec2(pixel + ivec2(0, 8 * k))));
#else
  float t[SAMPLES];
  for (int k = 0; k < SAMPLES; ++k) t[k] = float(8 * k);
  reconstruct_along(plane_point(vec2(pixel)), down, t, value);
#endif
  // Stores outside the image do nothing.
  for (int k = 0; k < SAMPLES; ++k) imageStore(image, pixel + ivec2(0, 8 * k), vec4(value[k]));
}
