// Ray casting: trilinear samples at equal steps along the ray, summed by the trapezoid rule
// (engine/projectors/raycast/samples.hpp).
#include "shared/line.glsl"

uniform float longest;  // mm between samples, at most

struct Samples {
  vec3 point, step;  // number k lies at point + k step
  float count;       // number of steps; 0 when the ray misses the grid
  float mm;          // length of a step
};

Samples samples_of(Line l) {
  vec2 range = within_grid(l, 0.5);
  Samples s;
  s.count = 0.0;
  if (!(range.x < range.y)) return s;
  s.count = max(1.0, ceil((range.y - range.x) * l.mm / longest - 1e-3));
  float h = (range.y - range.x) / s.count;
  s.point = l.point + range.x * l.step;
  s.step = h * l.step;
  s.mm = h * l.mm;
  return s;
}

float sample_weight(Samples s, float k) { return k == 0.0 || k == s.count ? 0.5 * s.mm : s.mm; }
