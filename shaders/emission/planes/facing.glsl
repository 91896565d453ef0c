// Planes parallel to the detector, through 3-D textures.
#include "shared/box/hardware.glsl"  // or software

uniform vec3 grid_size;  // voxels
layout(binding = 0) uniform sampler3D activity;
layout(binding = 1) uniform sampler3D attenuation;

float sample_activity(Crossing c) { return sample_box(activity, vec3(0.0), grid_size, c.at + middle_voxel); }
float sample_attenuation(Crossing c) { return sample_box(attenuation, vec3(0.0), grid_size, c.at + middle_voxel); }

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
  vec3 point = in_volume(ray.at, 0.0), step = in_volume(ray.step, 1.0);
  precise float where = e.stack.x + float(plane) * e.normal.w - dot(e.normal.xyz, middle_voxel);
  precise float along = dot(e.normal.xyz, step);
  precise vec3 met = point + (where - dot(e.normal.xyz, point)) / along * step;
  here = met;
  center = where / dot(e.normal.xyz, e.normal.xyz) * e.normal.xyz;
  if (ray.sense * along >= 0.0) return c;
  c.path = abs(e.normal.w / along) * ray.length;
  c.at = here;
  return c;
}
