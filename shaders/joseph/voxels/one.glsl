// One voxel.
#define VOXELS 1
uniform int most_rows;  // in a gap
float sum = 0.0;

void add_rows(float row, ColumnShare s, int at) {
  RowGaps g = row_gaps(row, s.step);
  vec4 share;
  ivec4 first = first_rows(g, vec4(0.0, 1.0, 2.0, 3.0), share);
  for (int n = first.x; n < first.y; ++n, share.x += g.per_row)
    if (on_detector(n)) sum += s.share * share.x * weighed[at + n * columns];
  for (int n = first.y; n < first.z; ++n, share.y += g.per_row)
    if (on_detector(n)) sum += s.share * (1.0 - share.y) * weighed[at + n * columns];
}

float sum_of(int k) { return sum; }
