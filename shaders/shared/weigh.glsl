// Values that the transpose adds to slices along one axis: a pixel's value times the length of its ray in a slab, or
// zero where the ray goes through another stack.
#include "shared/rays.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int projection;  // layer of the first view
uniform int projection_stride;

float weighed(ivec2 pixel, int number) {
  RayRows r = rays[first_ray + first_view + number * view_stride];
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, vec2(pixel)), ray);
  float q = texelFetch(projections, ivec3(pixel, projection + number * projection_stride), 0).r;
  return here ? q * ray.length : 0.0;
}
