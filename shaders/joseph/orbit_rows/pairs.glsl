// Rows are no closer than voxels, so that two of them are all that a voxel has of a column, and one filtered fetch is
// both.
void add_rows(float row, ColumnShare s, float u, float layer, int j, inout Four sum) {
  float per_row = 1.0 / s.step;
  vec4 at = fma(vec4(1.0, 2.0, 3.0, 4.0), vec4(s.step), vec4(row)), before = floor(at), past = at - before;
  vec4 lower = clamp(1.0 - per_row * past, 0.0, 1.0), upper = clamp(per_row * past + (1.0 - per_row), 0.0, 1.0);
  vec4 both = lower + upper, v = float(rows / 2) + 0.5 + before + upper / max(both, 1e-20);
  both *= s.share;
  sum.a += both.x * turned(four_at(u, v.x, layer), j);
  sum.b += both.y * turned(four_at(u, v.y, layer), j);
  sum.c += both.z * turned(four_at(u, v.z, layer), j);
  sum.d += both.w * turned(four_at(u, v.w, layer), j);
}
