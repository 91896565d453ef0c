// The ray of a pixel as a line through the volume, for any main axis. Coordinates are voxel indices x, y, z from the
// grid's middle.
#include "shared/narrow.glsl"
#include "shared/rays.glsl"

uniform int view_total;   // of the scan
uniform vec3 voxel_mm;    // x, y, z
uniform vec3 grid_size;   // voxels

struct Line {
  vec3 point, step;  // at slice s of its main axis the ray is at point + s step
  float mm;          // from slice to slice
  float source;      // the slice where it begins (cone)
  float sense;       // +1 when it runs towards larger slices, else -1
};

Line line_of(int view, vec2 pixel) {
  vec4 q = pixel_vector(rays[view], pixel);
  vec3 d = abs(vec3(dot(rays[view].step_main, q), dot(rays[view].step_u, q), dot(rays[view].step_v, q)));
  int main = d.x >= max(d.y, d.z) ? 0 : d.y >= d.z ? 1 : 2;
  RayRows r = rays[main * view_total + view];
  float along = dot(r.step_main, q), inverse = 1.0 / along;
  vec2 at = vec2(dot(r.at_u, q), dot(r.at_v, q)) * inverse;
  vec2 step = vec2(dot(r.step_u, q), dot(r.step_v, q)) * inverse;
  Line l;
  l.point = main == 0 ? vec3(0.0, at) : main == 1 ? vec3(at.x, 0.0, at.y) : vec3(at, 0.0);
  l.step = main == 0 ? vec3(1.0, step) : main == 1 ? vec3(step.x, 1.0, step.y) : vec3(step, 1.0);
  l.mm = length(l.step * voxel_mm);
  l.source = r.more.y;
  l.sense = sign(along);
  return l;
}

// The part of the line within half the grid and `beyond` voxels more on each side.
vec2 within_grid(Line l, float beyond) {
  float from = -1e9, to = 1e9;
  for (int i = 0; i < 3; ++i) narrow(l.point[i], l.step[i], 0.5 * grid_size[i] + beyond, from, to);
  if (from_a_point && l.sense > 0.0) from = max(from, l.source);
  else if (from_a_point) to = min(to, l.source);
  return vec2(from, to);
}
