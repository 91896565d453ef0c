// Orbits seen from a source that circles the axis.
#include "voxel_driven/weight/fdk.glsl"  // or none

uniform float source_distance;  // mm, source to axis

float reciprocal_depth(float a) { return 1.0 / (source_distance - a); }

float weight_at(float r) {
  float ratio = source_distance * r;
  return weighted(1.0, ratio * ratio);
}
