// The pixels whose rays can come near a voxel.
#include "shared/views.glsl"

// The first and last column and row inside the projection of the box voxel +- reach; the image has `last` + 1 pixels.
ivec4 pixels_in(ViewRows m, vec3 voxel, vec3 reach, ivec2 last) {
  vec2 low = vec2(1e9), high = vec2(-1e9);
  for (int corner = 0; corner < 8; ++corner) {
    vec3 side = vec3(corner & 1, corner >> 1 & 1, corner >> 2) * 2.0 - 1.0;
    vec3 p = rows_at(m, vec4(voxel + side * reach, 1.0));
    // A box that reaches behind the source projects to no rectangle: take all pixels.
    if (p.z <= 1e-4) return ivec4(0, 0, last);
    vec2 at = pixel_at(m, p);
    low = min(low, at);
    high = max(high, at);
  }
  // A little more: on curved detectors the edges bulge.
  vec2 margin = 0.02 + 0.02 * (high - low);
  return ivec4(clamp(ceil(low - margin), vec2(0.0), vec2(last + 1)),
               clamp(floor(high + margin), vec2(-1.0), vec2(last)));
}
