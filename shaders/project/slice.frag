#version 450 core
// A fragment a ray in one slice: its sample times the length of the ray in the slab. The blend unit, or a ping-pong, adds
// the slices up.
#include "project/stack.glsl"

in Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;
out VALUE value;
#include "project/ping_pong.glsl"

void main() {
  RayRows r = rays[first_ray + place.view];
  Ray ray;
  bool here = ray_through(r, pixel_vector(r, gl_FragCoord.xy - 0.5), ray);
#ifndef ORBIT
  if (!here) {
#ifdef PING_PONG
    value = ADDED(VALUE(0.0));
    return;
#else
    discard;
#endif
  }
#endif
  float s = float(place.slice) - middle_slice;
#if defined(SAMPLE_EXACT) || defined(ALL_PIXELS)
  vec2 position = (ray.at + s * ray.step) * SCALE + SHIFT;
#else
  // The rasteriser's: as good as hardware filtering's weights, since corners are snapped to 1/256 pixel.
  vec2 position = (place.voxel + 0.5) / slice_size;
#endif
  float weight = ray.length * slab_share(r, ray.sense, s);
  value = ADDED(weight * unit * sample_stack(position, float(place.slice - first_slice)));
}
