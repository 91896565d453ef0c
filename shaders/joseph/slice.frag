#version 450 core
// A fragment a ray (ROWS: four) in one slice: its sample times the length of the ray in the slab (BOXES: what it runs in
// boxes there). The blend unit, or a ping-pong, adds the slices up.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"
#ifdef ROWS
#include "joseph/rows.glsl"
#else
#include "joseph/stack.glsl"
#endif

in Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;
out VALUE value;
#include "shared/ping_pong.glsl"

// Of slice s, counted from the middle; nothing where no ray goes through this stack.
VALUE slice_integral(RayRows r, float s) {
  float layer = float(place.slice - first_slice);
#ifdef ROWS
  Four four = four_rays(r, floor(gl_FragCoord.xy));
  return s >= four.from && s <= four.to ? slice_value(r, four, s, layer) * four.weight * unit : VALUE(0.0);
#else
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, gl_FragCoord.xy - 0.5), ray);
  if (!here) return VALUE(0.0);
#ifdef BOXES
  return ray.length * unit * boxes(r, ray, s, layer);
#else
#if defined(PLACES_IN_VOXELS) || defined(ALL_PIXELS) || defined(FILTER_ROUNDS)
  vec2 position = ray.at * SCALE + SHIFT + s * ray.step * SCALE;
#else
  // The rasteriser's, where a driver filters with whole weights: corners are snapped to 1/256 pixel.
  vec2 position = (place.voxel + 0.5) / slice_size;
#endif
  return ray.length * slab_share(r, ray.sense, s) * unit * sample_stack(position, layer);
#endif
#endif
}

void main() {
  RayRows r = rays[first_ray + place.view];
  value = ADDED(slice_integral(r, float(place.slice) - middle_slice));
}
