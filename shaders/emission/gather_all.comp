#version 450 core
// An invocation is a voxel of some slices. The present planes are in a layer each.
layout(local_size_x = 16, local_size_y = 8) in;
#include "emission/gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int held;     // planes per view in `weighed`; the k-th is in layer k % held
uniform int planes;   // of a view
uniform int direction;  // direction of views: 0 towards larger slices; 1 towards smaller
uniform int first;    // first slice
uniform int count;    // number of slices
uniform int first_z;  // slice of the volume in layer 0

void main() {
  ivec3 voxel = ivec3(gl_GlobalInvocationID);
  ivec3 size = imageSize(volume);
  size[axis] = count;
  if (any(greaterThanEqual(voxel, size))) return;
  ivec3 at = voxel;  // in the volume
  at[axis] += first;
  voxel[axis] += first;
  voxel.z += first_z;
  int plane = direction == 0 ? planes - 1 - voxel[axis] : voxel[axis];
  imageStore(volume, at, imageLoad(volume, at) + share_of(voxel, direction, plane % held, held));
}
