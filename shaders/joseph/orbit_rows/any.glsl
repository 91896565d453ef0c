// Any number of rows from voxel to voxel, one by one.
void add_gap(int first, int end, float share, float per_row, float u, float layer, out vec4 lower, out vec4 upper) {
  lower = upper = vec4(0.0);
  for (int n = first; n < end; ++n, share += per_row) {
    vec4 four = four_at(u, float(n) + 0.5, layer);
    lower += (1.0 - share) * four;
    upper += share * four;
  }
}

void add_rows(float row, ColumnShare s, float u, float layer, int j, inout Four sum) {
  RowGaps g = row_gaps(row, s.step);
  vec4 share, last_share, lower, upper;
  ivec4 first = first_rows(g, vec4(0.0, 1.0, 2.0, 3.0), share), last = first_rows(g, vec4(4.0, 5.0, 6.0, 7.0), last_share);
  add_gap(first.x, first.y, share.x, g.per_row, u, layer, lower, upper);
  sum.a += s.share * turned(upper, j);
  add_gap(first.y, first.z, share.y, g.per_row, u, layer, lower, upper);
  sum.a += s.share * turned(lower, j);
  sum.b += s.share * turned(upper, j);
  add_gap(first.z, first.w, share.z, g.per_row, u, layer, lower, upper);
  sum.b += s.share * turned(lower, j);
  sum.c += s.share * turned(upper, j);
  add_gap(first.w, last.x, share.w, g.per_row, u, layer, lower, upper);
  sum.c += s.share * turned(lower, j);
  sum.d += s.share * turned(upper, j);
  add_gap(last.x, last.y, last_share.x, g.per_row, u, layer, lower, upper);
  sum.d += s.share * turned(lower, j);
}
