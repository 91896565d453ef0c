#version 450
// Every pixel gathers the voxels that fall within one pixel of it.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, r32f) uniform image2DArray views;
#include "weights.glsl"

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID);
  if (any(greaterThanEqual(pixel, imageSize(views).xy))) return;
  ivec3 size = textureSize(volume, 0);
  float sum = 0;
  for (int k = 0; k < size.z; ++k) {
    float across = hat(v_of(k) - pixel.y);
    if (across == 0) continue;
    for (int j = 0; j < size.y; ++j)
      for (int i = 0; i < size.x; ++i) {
        float along = hat(u_of(i, j) - pixel.x);
        if (along > 0) sum += across * along * texelFetch(volume, ivec3(i, j, k), 0).r;
      }
  }
  float before = overwrite != 0 ? 0.0 : imageLoad(views, ivec3(pixel, layer)).r;
  imageStore(views, ivec3(pixel, layer), vec4(before + length_mm * sum));
}
