// The sum of samples along a ray, by the trapezoid rule, with any value_at().
#include "raycast/raycast.glsl"

float line_integral(int view, vec2 pixel) {
  Samples s = samples_of(line_of(view, pixel));
  if (s.count == 0.0) return 0.0;
  // The samples of the whole grid in which voxels of this brick have a share.
  vec3 point = s.point + 0.5 * grid_size - 0.5, in_brick = point - brick_first - 0.5 * brick_size + 0.5;
  float from = 0.0, to = s.count, sum = 0.0;
  for (int i = 0; i < 3; ++i) narrow(in_brick[i], s.step[i], 0.5 * brick_size[i] + 0.5, from, to);
  for (float k = ceil(from); k <= to; k += 1.0) sum += value_at(point + k * s.step);
  if (from <= 0.0) sum -= 0.5 * value_at(point);
  if (to >= s.count) sum -= 0.5 * value_at(point + s.count * s.step);
  return unit * s.mm * sum;
}
