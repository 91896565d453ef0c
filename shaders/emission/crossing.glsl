// Where a pixel's ray meets a plane of slices and what happens to photons on the way to the next: the arithmetic of
// engine/projectors/emission/emission.hpp. FACING: planes parallel to the detector through 3-D textures; otherwise
// slices perpendicular to one axis. Coordinates are voxel indices from the grid's
// middle.
#include "shared/rays.glsl"
#include "shared/sample/hardware.glsl"  // or software

struct EmissionView {
  vec4 distance;  // mm to the detector's face from a voxel (i, j, k, 1)
  vec4 depth;     // what magnification divides by
  vec4 pixels;    // columns and rows a mm at depth 1; mm from the grid's end to the face; depth there
  vec4 normal;    // FACING: planes are where normal . (i, j, k) = first + plane step; w: step
  vec4 stack;     // first; count; 1 when rays run towards larger slices, else -1; mm from plane to plane
};
layout(std430, binding = 2) readonly buffer EmissionViews { EmissionView emission[]; };

// The views of this pass: x the view, y its layer in the projections.
layout(std430, binding = 3) readonly buffer Items { ivec4 items[]; };

#ifdef FACING
#include "shared/sample_box.glsl"
uniform vec3 grid_size;  // voxels
layout(binding = 0) uniform sampler3D activity;
layout(binding = 1) uniform sampler3D attenuation;
#else
layout(binding = 0) uniform sampler2DArray activity;
layout(binding = 1) uniform sampler2DArray attenuation;
#endif
uniform float activity_unit, attenuation_unit;  // what a stored 1 means
uniform vec2 slice_size;
uniform float middle_slice;
uniform vec3 middle_voxel;
uniform float per_way;   // mm that attenuation is normalised to
uniform float densest;
uniform float scatter;   // mm^2 of a blur over 100 mm; 0: none
uniform int attenuates;

struct Crossing {
  vec3 at;         // u, v and slice (counted from 0); the point (FACING)
  float way;       // mm to the next plane; 0 where the ray meets none
  float passes;    // the share of photons that get there
  vec2 variance;   // of the kernel, pixels^2
};

#ifdef FACING
#define SAMPLE(volume, c) sample_box(volume, vec3(0.0), grid_size, (c).at + middle_voxel)
#else
vec2 in_slice(vec2 at) {
#ifdef SAMPLE_EXACT
  return at + 0.5 * slice_size - 0.5;
#else
  return at / slice_size + 0.5;
#endif
}
#define SAMPLE(volume, c) sample_view(volume, in_slice((c).at.xy), 1.0 / slice_size, (c).at.z)
#endif

float activity_at(Crossing c) { return activity_unit * SAMPLE(activity, c); }

// mm^2 that a slab adds.
float slab_variance(float way, float distance) {
#ifdef BY_DISTANCE
  return scatter * max(2.0 * distance * way / 10000.0, 0.0);
#else
  return scatter * way / 100.0;
#endif
}

vec3 in_volume(vec2 p, float s) { return axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s); }

// Where, and nothing of what happens there. `here`: the point; `center`: the plane's nearest to the grid's middle. Which
// weights hardware takes must not depend on the program that asks.
Crossing meeting(int view, vec2 pixel, int plane, out vec3 here, out vec3 center) {
  EmissionView e = emission[view];
  RayRows r = rays[first_ray + view];
  Ray ray;
  ray_through(r, pixel_vector(r, pixel), ray);
  Crossing c;
  c.way = 0.0;
  c.passes = 1.0;
  c.variance = vec2(0.0);
  c.at = here = center = vec3(0.0);
  if (float(plane) >= e.stack.y) return c;
#ifdef FACING
  vec3 point = in_volume(ray.at, 0.0), step = in_volume(ray.step, 1.0);
  precise float where = e.stack.x + float(plane) * e.normal.w - dot(e.normal.xyz, middle_voxel);
  precise float along = dot(e.normal.xyz, step);
  precise vec3 met = point + (where - dot(e.normal.xyz, point)) / along * step;
  here = met;
  center = where / dot(e.normal.xyz, e.normal.xyz) * e.normal.xyz;
  if (ray.sense * along >= 0.0) return c;
  c.way = abs(e.normal.w / along) * ray.length;
  c.at = here;
#else
  float slice = e.stack.z > 0.0 ? e.stack.y - 1.0 - float(plane) : float(plane), s = slice - middle_slice;
  if (ray.sense != e.stack.z) return c;
  here = in_volume(ray.at + s * ray.step, s);
  center = in_volume(vec2(0.0), s);
  c.way = ray.length;
  c.at = vec3(ray.at + s * ray.step, slice);
#endif
  return c;
}

// Of the view that is the pass's `item`-th.
Crossing crossing(int item, vec2 pixel, int plane) {
  int view = items[item].x;
  EmissionView e = emission[view];
  vec3 here, center;
  Crossing c = meeting(view, pixel, plane, here, center);
  if (c.way == 0.0) return c;
#ifdef BY_ATTENUATION
  float matter = attenuation_unit * SAMPLE(attenuation, c);
  if (attenuates != 0) c.passes = pow(1.0 - matter, c.way / per_way);
#else
  if (attenuates != 0) c.passes = pow(1.0 - attenuation_unit * SAMPLE(attenuation, c), c.way / per_way);
#endif
#ifdef SCATTERS
#ifdef BY_DIRECTION
  vec4 middle_or_own = vec4(here + middle_voxel, 1.0);
  float v = slab_variance(c.way, dot(e.distance, middle_or_own));
#else
  vec4 middle_or_own = vec4(center + middle_voxel, 1.0);
  float v = slab_variance(e.stack.w, dot(e.distance, middle_or_own));
#endif
#ifdef BY_ATTENUATION
  v *= densest > 0.0 ? matter / densest : 0.0;
#endif
  vec2 scale = e.pixels.xy / dot(e.depth, middle_or_own);
  c.variance = v * scale * scale;
#endif
  return c;
}
