// Sixteen updates with one set of weights, for untilted circular scans that are symmetric.
//
// The four voxels of a quarter-turn orbit (projectors/voxel_driven/orbit.hpp) have mirror images. The image (x, -y) is
// seen by the view at -phi at the same depth with left and right exchanged. The image at -z of both is seen with up and
// down exchanged. If views are stored so exchanged, all 16 voxels read the same column, row and weights. (The axis must
// fall on a pixel's middle or edge, so that pixels map to pixels.) "Lines" are numbered 0..15 = 8 side + 4 below +
// channel.
//   side 0: the view at phi + 90 channel; side 1: at -(phi + 90 channel), columns reversed
//   below:  rows reversed
// A column of voxels reads lines that run along the rows; its slices s = 0, 1, ... count upwards from the middle.
// Bilinear interpolation for 16 columns of voxels is then a matrix product for a tensor core. It multiplies weights
// (slices x rows of two columns) by texels (rows of two columns x 16 lines).
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include "projectors/voxel_driven/orbit.hpp"

namespace backlit {

struct LineScan {
  float spacing, middle;               ///< mm; orbit (p, q) lies at spacing (p + middle, q + middle)
  int side;                            ///< orbits along p and q
  float z_step, z_first;               ///< mm; slice s lies z_first + s z_step above the source's plane
  float distance;                      ///< mm, source to axis
  float column0, columns, row0, rows;  ///< stored column = column0 + columns b / (distance - a); rows similar with z
  int stored_columns, stored_rows;
};

/// Maps a line's stored texel to a pixel. Texels outside the detector are zero.
struct LineSources {
  int first_column, mirrored_column;  ///< stored column 0 on side 0; columns c and mirrored_column - c are mirrored
  int first_row, mirrored_row;
};
struct LinePixel {
  int column, row;
};
BACKLIT_HD inline LinePixel line_pixel(const LineSources& s, int side, int below, int column, int row) {
  const int c = s.first_column + column, r = s.first_row + row;
  return {side ? s.mirrored_column - c : c, below ? s.mirrored_row - r : r};
}

/// Stored column of point j of orbit (p, q), and 1 / depth. Orbits past the grid's edge count as those at the edge.
struct LineFall {
  float column, nearness;
};
BACKLIT_HD inline LineFall line_fall(const LineScan& s, float cosine, float sine, int p, int q, int j) {
  const float x = s.spacing * (static_cast<float>(p < s.side ? p : s.side - 1) + s.middle);
  const float y = s.spacing * (static_cast<float>(q < s.side ? q : s.side - 1) + s.middle);
  const auto [a, b] = orbit_point(x * cosine + y * sine, y * cosine - x * sine, j);
#if defined(__CUDA_ARCH__)
  const float nearness = __fdividef(1.0f, s.distance - a);
#else
  const float nearness = 1.0f / (s.distance - a);
#endif
  return {s.column0 + s.columns * b * nearness, nearness};
}
BACKLIT_HD inline float line_row(const LineScan& s, float nearness, int slice) {
  return s.row0 + s.rows * nearness * (s.z_first + s.z_step * static_cast<float>(slice));
}

/// A block of voxels: side x side orbits from (p, q), and `slices` slices from `first`.
struct LineTile {
  int p, q, first, side, slices;
};

/// Stored texels [column, column + columns) x [row, row + rows) that hold all samples of a tile, and the largest number
/// of rows for a slice. All are extreme at the tile's corners: line_corner() gives the values of one corner. `more`:
/// margin in texels for rounding.
struct LineWindow {
  int column, row, columns, rows;
  float step;
};
inline constexpr float line_margin = 0.01f;
BACKLIT_HD inline LineWindow line_corner(const LineScan& s, float cosine, float sine, const LineTile& tile, int j,
                                         int corner, float more = line_margin) {
  const int far = tile.side - 1;
  const LineFall f = line_fall(s, cosine, sine, tile.p + (corner & 1 ? far : 0), tile.q + (corner & 2 ? far : 0), j);
  const int column = static_cast<int>(floorf(f.column - more));
  const int row = static_cast<int>(floorf(line_row(s, f.nearness, tile.first) - more));
  const int last = static_cast<int>(floorf(line_row(s, f.nearness, tile.first + tile.slices - 1) + more));
  return {column, row, static_cast<int>(floorf(f.column + more)) + 2 - column, last + 2 - row,
          s.rows * f.nearness * s.z_step};
}
inline LineWindow line_window(const LineScan& s, float cosine, float sine, const LineTile& tile, int j,
                              float more = line_margin) {
  LineWindow all = line_corner(s, cosine, sine, tile, j, 0, more);
  int last_column = all.column + all.columns, last_row = all.row + all.rows;
  for (int corner = 1; corner < 4; ++corner) {
    const LineWindow w = line_corner(s, cosine, sine, tile, j, corner, more);
    all.column = w.column < all.column ? w.column : all.column;
    all.row = w.row < all.row ? w.row : all.row;
    all.step = w.step > all.step ? w.step : all.step;
    last_column = w.column + w.columns > last_column ? w.column + w.columns : last_column;
    last_row = w.row + w.rows > last_row ? w.row + w.rows : last_row;
  }
  all.columns = last_column - all.column;
  all.rows = last_row - all.row;
  return all;
}

/// A column of voxels in one view, relative to a window.
struct LineColumn {
  int column;       ///< the left one of its two columns
  float share;      ///< weight of the right column
  float row, step;  ///< row of the tile's first slice; rows for each slice
  float weight;     ///< FDK's
};
BACKLIT_HD inline LineColumn line_column(const LineScan& s, float cosine, float sine, const LineTile& tile,
                                         const LineWindow& w, int column, int j) {
  const LineFall f = line_fall(s, cosine, sine, tile.p + column % tile.side, tile.q + column / tile.side, j);
  const float whole = floorf(f.column), near = s.distance * f.nearness;
  return {static_cast<int>(whole) - w.column, f.column - whole,
          line_row(s, f.nearness, tile.first) - static_cast<float>(w.row), s.rows * f.nearness * s.z_step, near * near};
}

/// Eight slices, `step` rows apart, read rows 0 to floor(share + 7 step) + 1 relative to the row of the first slice.
/// Chunks of eight rows start at 0, 8, ... below this bound.
BACKLIT_HD inline float line_rows(float step) { return 7 * step + 2; }

/// The weight of row `k` for slice `n` of eight is max(0, 1 - |share + slope|). `share`: weight of the upper row of the
/// first slice.
BACKLIT_HD inline float line_slope(float step, int n, int k) {
  return step * static_cast<float>(n) - static_cast<float>(k);
}

/// Grid indices of a line's voxel; false if another line or tile writes the voxel.
struct LineVoxel {
  int i, j, k;
};
BACKLIT_HD inline bool line_voxel(int p, int q, int slice, int line, int n, int nz, LineVoxel& to) {
  const int mirrored = line >> 3, below = line >> 2 & 1, point = line & 3;
  const bool odd = n & 1;
  if (p >= orbit_side(n) || q > p || nz / 2 + slice >= nz) return false;
  if (mirrored && (p == q || (odd && q == 0))) return false;  // it is its own mirror image
  if (odd && p == 0 && point > 0) return false;               // the middle column is one voxel, not four
  const OrbitColumn at = orbit_column(p, q, point, n);
  to = {at.i, mirrored ? n - 1 - at.j : at.j, below ? nz - 1 - (nz / 2 + slice) : nz / 2 + slice};
  return !below || 2 * to.k != nz - 1;  // the middle slice is one, not two
}

}  // namespace backlit
