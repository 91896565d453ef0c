// Slices perpendicular to one axis, through 2-D textures.
#include "shared/sample/hardware.glsl"  // or software

layout(binding = 0) uniform sampler2DArray activity;
layout(binding = 1) uniform sampler2DArray attenuation;

float sample_slice(sampler2DArray volume, vec3 at) {
  return sample_view(volume, from_middle(at.xy, slice_size), 1.0 / slice_size, at.z);
}
float sample_activity(Crossing c) { return sample_slice(activity, c.at); }
float sample_attenuation(Crossing c) { return sample_slice(attenuation, c.at); }

// The place only, without activity and attenuation. `here` is the point; `center` is the plane's point nearest to the
// grid's middle. Every program must find the same place to the bit, because hardware's weights depend on it.
Crossing meeting(int view, vec2 pixel, int plane, out vec3 here, out vec3 center) {
  EmissionView e = emission[view];
  RayRows r = rays[first_ray + view];
  Ray ray;
  ray_through(r, pixel_vector(r, pixel), ray);
  Crossing c;
  c.path = 0.0;
  c.passes = 1.0;
  c.variance = vec2(0.0);
  c.at = here = center = vec3(0.0);
  if (float(plane) >= e.stack.y) return c;
  float slice = e.stack.z > 0.0 ? e.stack.y - 1.0 - float(plane) : float(plane), s = slice - middle_slice;
  if (ray.sense != e.stack.z) return c;
  here = in_volume(ray.at + s * ray.step, s);
  center = in_volume(vec2(0.0), s);
  c.path = ray.length;
  c.at = vec3(ray.at + s * ray.step, slice);
  return c;
}
