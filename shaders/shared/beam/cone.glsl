// A cone or fan beam on a flat detector.
#include "shared/perspective.glsl"

/// The perspective divide: the position for sample_view(), and FDK's weight (R / depth)^2.
vec2 divided(POSITION p, int view, out float weight) {
  float inverse = 1.0 / p.z;
  weight = inverse * inverse;
  return p.xy * inverse;
}

/// Column and row at which a point a, b, w meets the detector.
vec2 pixel_at(ViewRows m, vec3 p) { return p.xy / p.z; }
