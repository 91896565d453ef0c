// The column of a flat detector that sees a point (x, y).
float column_of(ColumnRayView v, vec2 p) {
  vec2 m = a_and_w(v, p);
  return m.y > 0.0 ? m.x / m.y : 1e9;
}
