#version 450 core
// An invocation is a voxel: the arithmetic of line_gather.frag, added to the volume by loads and stores.
layout(local_size_x = 8, local_size_y = 8) in;
#include "shared/line_gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at.xy, imageSize(volume).xy))) return;
  imageStore(volume, at, imageLoad(volume, at) + gather(vec3(at)));
}
