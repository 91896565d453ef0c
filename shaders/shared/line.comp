#version 450 core
// An invocation is a ray: the arithmetic of line.frag, added to the projections by loads and stores.
#include "shared/morton.glsl"
#include "shared/line_integral.glsl"

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int first_layer;
uniform int layer_stride;

void main() {
  ivec2 pixel = pixel_of_invocation();
  if (any(greaterThanEqual(pixel, imageSize(projections).xy))) return;
  int number = int(gl_WorkGroupID.z);
  ivec3 at = ivec3(pixel, first_layer + number * layer_stride);
  imageStore(projections, at,
             imageLoad(projections, at) + line_integral(first_view + number * view_stride, vec2(pixel)));
}
