#version 450 core
// An invocation sums a ray, or the four rays that share texels, over a slab of slices: the arithmetic of rays.frag,
// added to the projections by loads and stores. A group works on VIEWS views one after the other. They find the slab's
// texels in the L1 cache, since from view to view a bundle of rays moves by a few voxels only.
#include "shared/morton.glsl"
#include "joseph/sum/slices.glsl"  // or rows

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int first_layer;
uniform int layer_stride;
uniform int view_count;

void add(ivec3 at, float value) { imageStore(projections, at, imageLoad(projections, at) + value); }

#include "joseph/store/views.glsl"  // or rows, groups

void main() {
  ivec2 pixel = pixel_of_invocation();
  if (any(greaterThanEqual(pixel, pixels_summed()))) return;
  int number = int(gl_WorkGroupID.z) * VIEWS;
  for (int end = min(number + VIEWS, view_count); number < end; ++number) {
    RayRows r = rays[first_ray + view_summed(number)];
    if (!runs_through(r)) continue;
    VALUE sum = line_integral(r, vec2(pixel));
    if (sum != VALUE(0.0)) add_sum(pixel, number, sum);
  }
}
