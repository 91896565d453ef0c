// Twelve voxels on top of each other, in three vectors: arrays would leave the registers.
#define VOXELS 12
uniform int most_rows;  // of a gap
vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));

float pixel_in(int at, int row, int end) {
  float value = 0.0;
  if (row < end && on_detector(row)) value = weighed[at + row * columns];
  return value;
}
vec4 pixels_in(int at, ivec4 row, ivec4 end) {
  return vec4(pixel_in(at, row.x, end.x), pixel_in(at, row.y, end.y), pixel_in(at, row.z, end.z),
              pixel_in(at, row.w, end.w));
}

// What voxels get of the gaps below and above them. `next`: of the gap above the last.
void add(inout vec4 sum, float all, vec4 share, vec4 value, float next) {
  sum = fma(share, value, sum);
  vec4 lower = (all - share) * value;
  sum += vec4(lower.yzw, next);
}

void add_rows(float row, ColumnShare s, int at) {
  RowGaps g = row_gaps(row, s.step);
  const vec4 k = vec4(0.0, 1.0, 2.0, 3.0);
  vec4 share_a, share_b, share_c, share_d;
  ivec4 a = first_rows(g, k, share_a), b = first_rows(g, k + 4.0, share_b), c = first_rows(g, k + 8.0, share_c),
        d = first_rows(g, k + 12.0, share_d);
  ivec4 end_a = ivec4(a.yzw, b.x), end_b = ivec4(b.yzw, c.x), end_c = ivec4(c.yzw, d.x);
  share_a *= s.share, share_b *= s.share, share_c *= s.share, share_d *= s.share;
  float per_row = s.share * g.per_row;
  for (int n = 0; n < most_rows; ++n) {
    // Loads come first, so that they wait for memory together.
    vec4 in_a = pixels_in(at, a + n, end_a), in_b = pixels_in(at, b + n, end_b), in_c = pixels_in(at, c + n, end_c);
    float in_d = pixel_in(at, d.x + n, d.y);
    add(sums[0], s.share, share_a, in_a, (s.share - share_b.x) * in_b.x);
    add(sums[1], s.share, share_b, in_b, (s.share - share_c.x) * in_c.x);
    add(sums[2], s.share, share_c, in_c, (s.share - share_d.x) * in_d);
    share_a += per_row, share_b += per_row, share_c += per_row, share_d += per_row;
  }
}

float sum_of(int k) { return sums[k >> 2][k & 3]; }
