#version 450 core
// A pixel of a plane through a volume, which may lie in several textures. Writes the pixels of this texture's own box.
#include "d2vr/plane.glsl"
#include "shared/tile.glsl"

layout(binding = 0) uniform sampler3D volume;
layout(binding = 0, r32f) writeonly uniform image2D image;
uniform vec3 texture_scale, texture_offset;  // from mm to fractions of the texture's box
uniform vec3 own_low, own_high;              // this texture's own part of that box

void main() {
  ivec2 pixel = ivec2(gl_WorkGroupID.xy) * 8 + tile_pixel();
  vec3 t = plane_point(vec2(pixel)) * texture_scale + texture_offset;
  if (any(lessThan(t, own_low)) || any(greaterThan(t, own_high))) return;
  // The outermost half voxel takes the value of its nearest centre.
  vec3 half_voxel = 0.5 / vec3(textureSize(volume, 0));
  imageStore(image, pixel, vec4(textureLod(volume, clamp(t, half_voxel, 1.0 - half_voxel), 0.0).r));
}
