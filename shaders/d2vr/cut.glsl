// A pixel of a plane through the object: from views, or with FROM_VOLUME from a volume.
#ifdef FROM_VOLUME
layout(binding = 0) uniform sampler3D volume;
uniform vec3 texture_scale, texture_offset;  // from mm to fractions of the grid's box
// The outermost half voxel takes the value of its nearest centre.
float reconstruct(vec3 point) {
  vec3 t = point * texture_scale + texture_offset, half_voxel = 0.5 / vec3(textureSize(volume, 0));
  if (any(lessThan(t, vec3(0.0))) || any(greaterThan(t, vec3(1.0)))) return 0.0;
  return textureLod(volume, clamp(t, half_voxel, 1.0 - half_voxel), 0.0).r;
}
#else
#include "d2vr/reconstruct.glsl"
#endif

uniform vec3 corner, right, down;  // mm: pixel (0, 0), and from one to the next

vec3 plane_point(vec2 pixel) { return corner + pixel.x * right + pixel.y * down; }
