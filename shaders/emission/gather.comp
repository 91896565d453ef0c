#version 450 core
// An invocation a voxel of the slice or slices.
layout(local_size_x = 16, local_size_y = 16) in;
#include "emission/gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform vec2 slice_size;
uniform int plane;
uniform int planes;
uniform int ways;  // 1: some view looks towards larger slices; 2: some the other way

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, ivec2(slice_size)))) return;
  for (int way = 0; way < 2; ++way) {
    if ((ways >> way & 1) == 0) continue;
    int slice = way == 0 ? planes - 1 - plane : plane;
    ivec3 voxel = axis == 0 ? ivec3(slice, p) : axis == 1 ? ivec3(p.x, slice, p.y) : ivec3(p, slice);
    imageStore(volume, voxel, imageLoad(volume, voxel) + given(voxel, way));
  }
}
