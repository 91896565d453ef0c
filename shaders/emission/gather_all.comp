#version 450 core
// An invocation a voxel: of all planes, each in a layer of its own.
layout(local_size_x = 16, local_size_y = 8) in;
#include "emission/gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int planes;
uniform int ways;  // 1: some view looks towards larger slices; 2: some the other way

void main() {
  ivec3 voxel = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(voxel, imageSize(volume)))) return;
  int slice = voxel[axis];
  float sum = 0.0;
  if ((ways & 1) != 0) sum += given(voxel, 0, planes - 1 - slice, planes);
  if ((ways & 2) != 0) sum += given(voxel, 1, slice, planes);
  imageStore(volume, voxel, imageLoad(volume, voxel) + sum);
}
