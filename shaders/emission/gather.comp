#version 450 core
// Hands what a plane is given to the voxels of its slice: the transpose of sampling the slice. Views that look the other
// way have the slice as far from the other end.
layout(local_size_x = 16, local_size_y = 16) in;
#include "project/gather.glsl"

struct EmissionView {
  vec4 distance, depth, pixels, normal;
  vec4 stack;  // z: 1 when rays run towards larger slices, else -1
};
layout(std430, binding = 2) readonly buffer EmissionViews { EmissionView emission[]; };
layout(std430, binding = 3) readonly buffer Items { ivec4 items[]; };
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
    float sum = 0.0;
    for (int i = 0; i < view_count; ++i) {
      int view = items[i].x;
      if ((emission[view].stack.z > 0.0) == (way == 0))
        sum += gather_view(rays[first_ray + view], views[view], vec3(voxel), i);
    }
    imageStore(volume, voxel, imageLoad(volume, voxel) + sum);
  }
}
