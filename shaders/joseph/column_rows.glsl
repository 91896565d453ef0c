// The rows of a column between voxels on top of each other. Gap k lies between voxels k - 1 and k; each row belongs to
// one gap.
struct RowGaps {
  float row, step, per_row;  // row of the voxel below the first; rows per voxel; its inverse
  int bias;
};

// Adding this number leaves an integer in the lowest bits.
const float rounder = 12582912.0;

RowGaps row_gaps(float row, float step) { return RowGaps(row, step, 1.0 / step, 0x4B400000 - rows / 2 - 1); }

// The first rows of the gaps k. `shares`: their positions from voxel k - 1 (0) to voxel k (1). The rows of a gap end
// where those of the next gap begin.
ivec4 first_rows(RowGaps g, vec4 k, out vec4 shares) {
  vec4 at = fma(k, vec4(g.step), vec4(g.row)), below = floor(at);
  shares = (below + 1.0 - at) * g.per_row;
  return floatBitsToInt(below + rounder) - g.bias;
}

bool on_detector(int row) { return uint(row) < uint(rows); }

// Whether some row seen by `voxels` voxels may be on the detector.
bool any_on_detector(float row, float step, int voxels) {
  return fma(float(voxels + 1), step, row) >= float(-rows / 2 - 1) && row <= float(rows);
}
