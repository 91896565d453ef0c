#version 450
// Every voxel gathers the four pixels around its centre.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2DArray views;
layout(binding = 0, r32f) uniform image2DArray volume;
#include "weights.glsl"

void main() {
  ivec3 voxel = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(voxel, imageSize(volume)))) return;
  ivec2 size = textureSize(views, 0).xy;
  vec2 at = vec2(u_of(voxel.x, voxel.y), v_of(voxel.z));
  ivec2 first = ivec2(floor(at));
  float sum = 0;
  for (int n = 0; n < 4; ++n) {
    ivec2 pixel = first + ivec2(n & 1, n >> 1);
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, size))) continue;
    sum += hat(at.x - pixel.x) * hat(at.y - pixel.y) * texelFetch(views, ivec3(pixel, layer), 0).r;
  }
  float before = overwrite != 0 ? 0.0 : imageLoad(volume, voxel).r;
  imageStore(volume, voxel, vec4(before + length_mm * sum));
}
