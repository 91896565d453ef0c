// A pixel of a plane through the object: from views, or with FROM_VOLUME from a volume.
#ifdef FROM_VOLUME
layout(binding = 0) uniform sampler3D volume;
uniform vec3 texture_scale, texture_offset;  // from mm to fractions of the texture's box
uniform vec3 own_low, own_high;  // of that box: what this texture stands for
bool is_own(vec3 point) {
  vec3 t = point * texture_scale + texture_offset;
  return all(greaterThanEqual(t, own_low)) && all(lessThanEqual(t, own_high));
}
// The outermost half voxel takes the value of its nearest centre.
float reconstruct(vec3 point) {
  vec3 t = point * texture_scale + texture_offset, half_voxel = 0.5 / vec3(textureSize(volume, 0));
  return textureLod(volume, clamp(t, half_voxel, 1.0 - half_voxel), 0.0).r;
}
#else
#include "d2vr/reconstruct.glsl"
#endif

uniform vec3 corner, right, down;  // mm: pixel (0, 0), and from one to the next

vec3 plane_point(vec2 pixel) { return corner + pixel.x * right + pixel.y * down; }
