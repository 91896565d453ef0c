#version 450 core
// What the transpose hands to slices along one axis: a pixel's value times the length of its ray in a slab, nothing
// where the ray has another main axis.
#include "project/rays.glsl"

layout(binding = 0) uniform sampler2DArray projections;
uniform int projection;         // layer of the first view
uniform int projection_stride;

in Place {
  flat int view;
  flat int layer;
} place;
out float value;

void main() {
  RayRows r = rays[first_ray + place.view];
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, gl_FragCoord.xy - 0.5), ray);
  float q = texelFetch(projections, ivec3(gl_FragCoord.xy, projection + place.layer * projection_stride), 0).r;
  value = here ? q * ray.length : 0.0;
}
