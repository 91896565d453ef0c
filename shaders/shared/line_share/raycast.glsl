// A voxel's share in the samples of a ray.
#include "raycast/raycast.glsl"

const float reach = 1.0;

float share_of(Line l, vec3 p) {
  Samples s = samples_of(l);
  float from = 0.0, to = s.count;
  if (s.count == 0.0) return 0.0;
  for (int i = 0; i < 3; ++i) narrow(s.point[i] - p[i], s.step[i], 1.0, from, to);
  float sum = 0.0;
  for (float k = ceil(from); k <= to; k += 1.0) {
    vec3 near = max(1.0 - abs(s.point + k * s.step - p), 0.0);
    sum += sample_weight(s, k) * near.x * near.y * near.z;
  }
  return sum;
}
