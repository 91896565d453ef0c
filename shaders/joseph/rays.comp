#version 450 core
// An invocation a ray (ROWS: four): the arithmetic of rays.frag over a slab of slices, added to the projections by loads and stores.
// A group serves VIEWS views one after the other: they find the slab's texels in the L1 cache, since from view to view a
// bundle of rays moves by a few voxels only.
#include "shared/morton.glsl"
#include "shared/rays.glsl"
#include "shared/narrow.glsl"
#ifdef ROWS
#include "joseph/rows.glsl"
#else
#include "joseph/stack.glsl"
#endif

layout(binding = 0, r32f) uniform image2DArray projections;
uniform int first_layer;
uniform int layer_stride;
uniform int view_count;

#ifdef ORBIT
#include "joseph/groups.glsl"
#endif

void add(ivec3 at, float value) { imageStore(projections, at, imageLoad(projections, at) + value); }

void main() {
  ivec2 pixel = pixel_of_invocation();
  ivec2 size = imageSize(projections).xy;
#ifdef ROWS
  size.y = (size.y + 3) / 4;
#endif
  if (any(greaterThanEqual(pixel, size))) return;
  int number = int(gl_WorkGroupID.z) * VIEWS;
  for (int end = min(number + VIEWS, view_count); number < end; ++number) {
#ifdef ORBIT
    Group group = groups[number];
    vec4 sum = line_integral(rays[first_ray + group.view.x], vec2(pixel));
    if (sum == vec4(0.0)) continue;
    for (int c = 0; c < 4; ++c) add(ivec3(pixel, group.layers[c]), sum[c]);
#else
    RayRows r = rays[first_ray + first_view + number * view_stride];
    if (r.more.x == 0.0) continue;
    VALUE sum = line_integral(r, vec2(pixel));
    if (sum == VALUE(0.0)) continue;
    int layer = first_layer + number * layer_stride;
#ifdef ROWS
    for (int c = 0; c < 4 && 4 * pixel.y + c < imageSize(projections).y; ++c)
      add(ivec3(pixel.x, 4 * pixel.y + c, layer), sum[c]);
#else
    add(ivec3(pixel, layer), sum);
#endif
#endif
  }
}
