// The result of an emission pass in a pixel; PASS is its number. `at` is column, row and number of the view in this
// batch. The second value is a kernel's variance where the value is then spread, or transparency where planes are
// blended; otherwise it is unused.
#include "emission/crossing.glsl"
#include "emission/blur.glsl"

uniform int plane;
uniform int end;  // number of planes

vec2 value_at(ivec3 at) {
  vec2 pixel = vec2(at.xy);
#if PASS == 0
  // From the front to the back, with the transparency so far in a register.
  float sum = 0.0, passed = 1.0;
  for (int k = plane; k < end; ++k) {
    Crossing c = crossing(at.z, pixel, k);
    if (c.path == 0.0) continue;
    sum += passed * sqrt(c.passes) * c.path * activity_at(c);
    passed *= c.passes;
  }
  return vec2(sum, 0.0);
#elif PASS == 1
  // A plane over the image behind it, which is blurred along columns already; along rows it is blurred here.
  Crossing c = crossing(at.z, pixel, plane);
  float behind = scatters ? blurred(at, 1, plane) : texelFetch(image, at, 0).r;
  return vec2(c.path == 0.0 ? behind : c.passes * behind + sqrt(c.passes) * c.path * activity_at(c), 0.0);
#elif PASS == 2
  return vec2(blurred(at, 0, plane), 0.0);
#elif PASS == 3
  return vec2(blurred(at, 1, plane), 0.0);
#elif PASS == 4
  return vec2(blurred_transposed(at, 0), 0.0);
#elif PASS == 5
  // Blurred along rows; prepares the blur along columns.
  return spread(blurred_transposed(at, 1), variance_at(at.xy, at.z, plane).x);
#elif PASS == 6
  // The share of a plane.
  Crossing c = crossing(at.z, pixel, plane);
  return vec2(sqrt(c.passes) * c.path * texelFetch(image, at, 0).r, 0.0);
#elif PASS == 7
  // The rest, for the plane behind it.
  return vec2(crossing(at.z, pixel, plane).passes * texelFetch(image, at, 0).r, 0.0);
#elif PASS == 8
  return texelFetch(image, ivec3(at.xy, items[at.z].y), 0).rr;
#elif PASS == 9
  // Emission and transparency of a plane.
  Crossing c = crossing(at.z, pixel, plane);
  return c.path == 0.0 ? vec2(0.0, 1.0) : vec2(sqrt(c.passes) * c.path * activity_at(c), c.passes);
#elif PASS == 10
  return texelFetch(image, at, 0).rr;
#else
  // The rest, to be spread along rows first.
  float passes = plane < 0 ? 1.0 : crossing(at.z, pixel, plane).passes;
  return spread(passes * texelFetch(image, at, 0).r, variance_at(at.xy, at.z, plane).y);
#endif
}
