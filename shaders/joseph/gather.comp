#version 450 core
// An invocation makes VOXELS voxels above each other, which share everything that does not depend on z. The arithmetic
// of gather.frag, added to the volume by loads and stores.
layout(local_size_x = 16, local_size_y = 8) in;
#define VOXELS 4
#include "joseph/gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int first_slice;

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID) * ivec3(1, 1, VOXELS), size = imageSize(volume);
  if (any(greaterThanEqual(at, size))) return;
  float sums[VOXELS];
  for (int k = 0; k < VOXELS; ++k) sums[k] = 0.0;
  gather(vec3(at) + vec3(0.0, 0.0, float(first_slice)), sums);
  for (int k = 0; k < VOXELS && at.z + k < size.z; ++k) {
    ivec3 voxel = at + ivec3(0, 0, k);
    imageStore(volume, voxel, imageLoad(volume, voxel) + sums[k]);
  }
}
