// Twelve voxels on top of each other. Arrays and loops would leave the registers, so this uses three vectors, and one
// or two ROWS of a gap without a loop (0: any number).
#define VOXELS 12
uniform int most_rows;  // in a gap
vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));

// Gaps 0 to 12: the present row, the first row of the next gap, and the row's share in the voxel above.
struct Gaps {
  ivec4 row_a, row_b, row_c, end_a, end_b, end_c;
  vec4 share_a, share_b, share_c;
  int row_d, end_d;
  float share_d, per_row;
};

// Without a loop, unwanted values are loaded too: branches would make loads wait for each other.
float pixel_in(int at, int row, int end) {
  bool wanted = row < end && on_detector(row);
#if ROWS == 0
  float value = 0.0;
  if (wanted) value = weighed[at + row * columns];
  return value;
#else
  float value = weighed[at + clamp(row, 0, rows - 1) * columns];
  return wanted ? value : 0.0;
#endif
}
vec4 pixels_in(int at, ivec4 row, ivec4 end) {
  return vec4(pixel_in(at, row.x, end.x), pixel_in(at, row.y, end.y), pixel_in(at, row.z, end.z),
              pixel_in(at, row.w, end.w));
}

// Adds to voxels from the gaps below and above them. `next`: from the gap above the last voxel.
void add(inout vec4 sum, float all, vec4 share, vec4 value, float next) {
  sum = fma(share, value, sum);
  vec4 lower = (all - share) * value;
  sum += vec4(lower.yzw, next);
}

// Loads come first, so that they wait for memory together.
void add_row_of_each(inout Gaps g, float all, int at) {
  vec4 a = pixels_in(at, g.row_a, g.end_a), b = pixels_in(at, g.row_b, g.end_b), c = pixels_in(at, g.row_c, g.end_c);
  float d = pixel_in(at, g.row_d, g.end_d);
  add(sums[0], all, g.share_a, a, (all - g.share_b.x) * b.x);
  add(sums[1], all, g.share_b, b, (all - g.share_c.x) * c.x);
  add(sums[2], all, g.share_c, c, (all - g.share_d) * d);
  g.row_a += 1, g.row_b += 1, g.row_c += 1, g.row_d += 1;
  g.share_a += g.per_row, g.share_b += g.per_row, g.share_c += g.per_row, g.share_d += g.per_row;
}

void add_rows(float row, ColumnShare s, int at) {
  RowGaps r = row_gaps(row, s.step);
  const vec4 k = vec4(0.0, 1.0, 2.0, 3.0);
  Gaps g;
  vec4 share_d;
  g.row_a = first_rows(r, k, g.share_a);
  g.row_b = first_rows(r, k + 4.0, g.share_b);
  g.row_c = first_rows(r, k + 8.0, g.share_c);
  ivec4 row_d = first_rows(r, k + 12.0, share_d);
  g.row_d = row_d.x, g.end_d = row_d.y;
  g.end_a = ivec4(g.row_a.yzw, g.row_b.x), g.end_b = ivec4(g.row_b.yzw, g.row_c.x);
  g.end_c = ivec4(g.row_c.yzw, row_d.x);
  g.share_a *= s.share, g.share_b *= s.share, g.share_c *= s.share, g.share_d = s.share * share_d.x;
  g.per_row = s.share * r.per_row;
#if ROWS == 0
  for (int n = 0; n < most_rows; ++n) add_row_of_each(g, s.share, at);
#else
  add_row_of_each(g, s.share, at);
#if ROWS == 2
  add_row_of_each(g, s.share, at);
#endif
#endif
}

float sum_of(int k) { return sums[k >> 2][k & 3]; }
