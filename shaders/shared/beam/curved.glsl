// A cone or fan beam on a detector that is curved around the source: columns are at equal angles.
#include "shared/perspective.glsl"
#include "shared/fan_angle.glsl"

/// The position for sample_view(), and FDK's weight.
vec2 divided(POSITION p, int view, out float weight) {
  float square = p.x * p.x + p.z * p.z;
  float distance = sqrt(square);
  vec4 curve = views[view].curve;
  weight = 1.0 / square;
  return curve.xy + curve.zw * vec2(fan_angle(p.x, p.z, distance), p.y / distance);
}

/// Column and row at which a point a, b, w meets the detector.
vec2 pixel_at(ViewRows m, vec3 p) {
  float distance = sqrt(p.x * p.x + p.z * p.z);
  return m.curve.xy + m.curve.zw * vec2(fan_angle(p.x, p.z, distance), p.y / distance);
}
