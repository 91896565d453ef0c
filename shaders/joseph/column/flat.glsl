// The column of a flat detector that sees a point (x, y).
float column_of(ColumnRayView v, vec2 p) {
  float a = fma(v.a.x, p.x, fma(v.a.y, p.y, v.a.z)), w = fma(v.w_x, p.x, fma(v.w_yz.x, p.y, v.w_yz.y));
  return w > 0.0 ? a / w : 1e9;
}
