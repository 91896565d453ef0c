// The rows of a column between voxels on top of each other. Gap k lies between voxel k - 1 and voxel k; each row belongs
// to one gap.
struct RowGaps {
  float from, step, per_row;  // row + 0.5 of the voxel below the first; rows from voxel to voxel; its inverse
  int bias;
};

// Adding this rounds to a whole number and leaves it in the lowest bits.
const float rounder = 12582912.0;

RowGaps row_gaps(float row, float step) { return RowGaps(row + 0.5, step, 1.0 / step, 0x4B400000 - rows / 2); }

// Of the gaps k: their first rows, and how far these have come from voxel k - 1 to voxel k. The rows of a gap end where
// those of the next begin.
ivec4 first_rows(RowGaps g, vec4 k, out vec4 shares) {
  precise vec4 at = fma(k, vec4(g.step), vec4(g.from));
  precise vec4 whole = at + rounder;
  precise vec4 past = (whole - rounder) - at;
  shares = fma(past, vec4(g.per_row), vec4(0.5 * g.per_row));
  return floatBitsToInt(whole) - g.bias;
}

bool on_detector(int row) { return uint(row) < uint(rows); }

// Whether some of the rows that `voxels` voxels see are on the detector.
bool any_on_detector(float row, float step, int voxels) {
  return fma(float(voxels + 1), step, row) >= float(-rows / 2 - 1) && row <= float(rows);
}
