// The column of a detector curved about the source that sees a point (x, y).
#include "shared/fan_angle.glsl"

float column_of(ColumnRayView v, vec2 p) {
  vec2 m = a_and_w(v, p);
  float column0 = v.map[3].z, columns_per_radian = v.map[4].x;
  return column0 + columns_per_radian * fan_angle(m.x, m.y, length(m));
}
