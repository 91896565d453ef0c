#version 450 core
// A pixel of a thick slice through a volume that may lie in several textures: the largest, the smallest or the mean
// value across it. Textures follow each other and add their own samples to the picture.
#include "d2vr/plane.glsl"
#include "shared/tile.glsl"

layout(binding = 0) uniform sampler3D volume;
layout(binding = 0, r32f) uniform image2D image;
uniform vec3 texture_scale, texture_offset;  // from mm to fractions of the texture's box
uniform vec3 own_low, own_high;              // of that box: what this texture stands for
uniform vec3 box_low, box_high;              // mm, of the whole volume
uniform vec3 first, across;                  // mm from the plane to the first sample, and from one to the next
uniform int samples;
uniform int show;  // 0 largest, 1 smallest, 2 mean
uniform int last;  // whether no texture follows
const float nothing_yet = 3e38;

void main() {
  ivec2 pixel = ivec2(gl_WorkGroupID.xy) * 8 + tile_pixel();
  if (any(greaterThanEqual(pixel, imageSize(image)))) return;
  vec3 middle = plane_point(vec2(pixel)) + first;
  vec3 half_voxel = 0.5 / vec3(textureSize(volume, 0));
  float found = imageLoad(image, pixel).r, sum = 0.0;
  int inside = 0, own = 0;
  for (int i = 0; i < samples; ++i) {
    vec3 at = middle + float(i) * across;
    if (any(lessThan(at, box_low)) || any(greaterThan(at, box_high))) continue;
    ++inside;
    vec3 t = at * texture_scale + texture_offset;
    if (any(lessThan(t, own_low)) || any(greaterThan(t, own_high))) continue;
    float value = textureLod(volume, clamp(t, half_voxel, 1.0 - half_voxel), 0.0).r;
    ++own;
    sum += value;
    if (show == 0) found = found == nothing_yet ? value : max(found, value);
    if (show == 1) found = found == nothing_yet ? value : min(found, value);
  }
  if (show == 2 && own > 0) found = (found == nothing_yet ? 0.0 : found) + sum / float(inside);
  if (last == 1 && found == nothing_yet) found = 0.0;
  imageStore(image, pixel, vec4(found));
}
