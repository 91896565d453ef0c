#version 450 core
// A fragment is a ray in one slice: the slice's value along the ray times the length of the ray in the slab. The blend
// unit, or a ping-pong, adds the slices.
#include "joseph/stack.glsl"

in Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;
out VALUE value;
#include "joseph/place/along_ray.glsl"   // or interpolated
#include "shared/accumulate/blend.glsl"  // or ping_pong

// The ray's part in slice s, counted from the middle; zero where the ray goes through another stack.
VALUE slice_integral(RayRows r, float s) {
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, gl_FragCoord.xy - 0.5), ray);
  if (!here) return VALUE(0.0);
  float layer = float(place.slice - first_slice);
  return ray.length * unit * slab_value(r, ray, place_in_slice(ray, s), s, layer);
}

void main() {
  RayRows r = rays[first_ray + place.view];
  value = added(slice_integral(r, float(place.slice) - middle_slice), place.layer);
}
