// The rays of a view at slices perpendicular to one axis of the volume (engine/projectors/shared/gl/ray_table.hpp): the
// slice-interpolated model of engine/projectors/joseph/slice_steps.hpp. Coordinates are voxel indices from the grid's
// middle.
#include "shared/views.glsl"
#include "shared/source/outside.glsl"  // or inside

// Each row times pixel_vector() is a number of that pixel's ray. A ray meets slice s at
// (at_u + s step_u, at_v + s step_v) / step_main: Pluecker coordinates, its moment and its direction.
struct RayRows {
  vec4 step_u, step_v, step_main;  // direction, in indices
  vec4 at_u, at_v;                 // place in the middle slice, times step_main
  vec4 more;  // 1 when some ray of the view goes through this stack; the source's slice; curved: radius in columns
};
layout(std430, binding = 1) readonly buffer Rays { RayRows rays[]; };

uniform int axis;         // slices are perpendicular to it
uniform int first_ray;    // in rays[], of view 0 for this axis
uniform vec2 middle;      // column and row of the detector's middle
uniform vec3 spacing;     // mm between voxels along u, v and the axis

#include "shared/detector/flat.glsl"  // or curved
#include "shared/stack/by_ray.glsl"   // or by_view, by_orbit

struct Ray {
  vec2 at, step;  // meets slice s at `at` + s step
  float length;   // mm in a slice's slab
  float sense;    // +1 when it runs towards larger slices, else -1
};

// False when the ray goes through another stack. The choice must not depend on how a compiler orders the arithmetic, or
// the transpose would differ from the projection.
bool ray_through(RayRows r, vec4 pixel, out Ray ray) {
  precise vec3 step = vec3(dot(r.step_u, pixel), dot(r.step_v, pixel), dot(r.step_main, pixel));
  precise float most = abs(step.z);
  bool here = through_stack(r, step, most);
  float inverse = 1.0 / step.z;
  ray.at = vec2(dot(r.at_u, pixel), dot(r.at_v, pixel)) * inverse;
  ray.step = step.xy * inverse;
  ray.length = length(step * spacing) * abs(inverse);
  ray.sense = sign(step.z);
  return here;
}

// The share of slice s's slab on the ray's side of the source.
float slab_share(RayRows r, float sense, float s) {
  return source_inside ? clamp(sense * (s - r.more.y) + 0.5, 0.0, 1.0) : 1.0;
}

// The part of slice s's slab on the ray's side of the source: from and to.
vec2 started(RayRows r, float sense, float s) {
  vec2 slab = vec2(s - 0.5, s + 0.5);
  if (source_inside && sense > 0.0) slab.x = max(slab.x, r.more.y);
  else if (source_inside) slab.y = min(slab.y, r.more.y);
  return slab;
}
