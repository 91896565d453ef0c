// Edges of a voxel on a curved detector. Column and row edges count from 0: half a cell more than middles.
#include "shared/fan_angle.glsl"

float column_of(POSITION p, int view) {
  return views[view].curve.x + views[view].curve.z * fan_angle(p.x, p.z, length(p.xz)) + 0.5;
}

/// Row of slice 0's lower edge, and the rows per slice.
vec2 rows_of(POSITION p, float up, int view) {
  float scale = views[view].curve.w / length(p.xz);
  return vec2(views[view].curve.y + scale * p.y + 0.5, scale * up);
}

/// Distances of rows are proportional to 1 over this.
float row_depth(POSITION p) { return length(p.xz); }
