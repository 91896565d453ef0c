#version 450 core
// An invocation a ray: the arithmetic of rays.frag, added to the projections by loads and stores.
layout(local_size_x = 8, local_size_y = 8) in;
#include "project/stack.glsl"

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int first_layer;
uniform int layer_stride;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  int number = int(gl_GlobalInvocationID.z);
  RayRows r = rays[first_ray + first_view + number * view_stride];
  if (r.more.x == 0.0 || any(greaterThanEqual(pixel, imageSize(projections).xy))) return;
  ivec3 at = ivec3(pixel, first_layer + number * layer_stride);
  imageStore(projections, at, imageLoad(projections, at) + line_integral(r, vec2(pixel)));
}
