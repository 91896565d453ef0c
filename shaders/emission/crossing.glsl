// The point where a pixel's ray meets a plane of slices, and the photons' path to the next plane: the arithmetic of
// engine/projectors/emission/emission.hpp. Coordinates are voxel indices from the grid's middle.
#include "shared/rays.glsl"

struct EmissionView {
  vec4 distance;  // mm from a voxel (i, j, k, 1) to the detector's face
  vec4 depth;     // divisor of magnification
  vec4 pixels;    // columns and rows per mm at depth 1; mm from the grid's end to the face; depth there
  vec4 normal;    // facing planes: normal . (i, j, k) = first + plane step; w: step
  vec4 stack;     // first; count; 1 when rays run towards larger slices, else -1; mm from plane to plane
};
layout(std430, binding = 2) readonly buffer EmissionViews { EmissionView emission[]; };

// The views of this pass: x the view, y its layer in the projections.
layout(std430, binding = 3) readonly buffer Items { ivec4 items[]; };

uniform float activity_unit, attenuation_unit;  // value of a stored 1
uniform vec2 slice_size;
uniform float middle_slice;
uniform vec3 middle_voxel;
uniform float unit_length; // path in mm that attenuation is normalised to
uniform float densest;
uniform float scatter;   // mm^2 of a blur over 100 mm; 0: none
uniform int attenuates;

struct Crossing {
  vec3 at;         // u, v and slice (counted from 0); the point of facing planes
  float path;       // mm to the next plane; 0 where the ray meets none
  float passes;    // share of photons that get there
  vec2 variance;   // of the kernel, pixels^2
};

vec3 in_volume(vec2 p, float s) { return axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s); }

#include "emission/planes/axis.glsl"   // or facing
#include "emission/kernel/none.glsl"   // or gaussian

float activity_at(Crossing c) { return activity_unit * sample_activity(c); }

// For the `item`-th view of the pass.
Crossing crossing(int item, vec2 pixel, int plane) {
  int view = items[item].x;
  EmissionView e = emission[view];
  vec3 here, center;
  Crossing c = meeting(view, pixel, plane, here, center);
  if (c.path == 0.0) return c;
  float attenuation = attenuates != 0 || needs_attenuation() ? attenuation_unit * sample_attenuation(c) : 0.0;
  if (attenuates != 0) c.passes = pow(1.0 - attenuation, c.path / unit_length);
  c.variance = variance_of(e, c.path, here, center, attenuation);
  return c;
}
