// The column of a detector curved about the source that sees a point (x, y).
#include "shared/fan_angle.glsl"

float column_of(ColumnRayView v, vec2 p) {
  float a = fma(v.a.x, p.x, fma(v.a.y, p.y, v.a.z)), w = fma(v.w_x, p.x, fma(v.w_yz.x, p.y, v.w_yz.y));
  float column0 = v.map[3].z, columns_per_radian = v.map[4].x;
  return column0 + columns_per_radian * fan_angle(a, w, sqrt(a * a + w * w));
}
