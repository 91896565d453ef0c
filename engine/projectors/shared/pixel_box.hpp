// The pixels of a view whose rays come near a voxel: there, transposes of ray-driven models gather.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include "geometry/view_map.hpp"

namespace backlit {

/// Pixels [first_column, last_column] x [first_row, last_row]; none when last < first.
struct PixelBox {
  int first_column, last_column, first_row, last_row;
};

/// The pixels whose rays can come within one voxel of (i, j, k): those in the projection of the cube around it.
template <class T>
BACKLIT_HD inline PixelBox pixels_around(const ViewMap<T>& map, int columns, int rows, T i, T j, T k) {
  using std::ceil;
  using std::floor;
  T low_c = T(1e9), high_c = T(-1e9), low_r = T(1e9), high_r = T(-1e9);
  for (int corner = 0; corner < 8; ++corner) {
    const auto at = project_point(map, i + (corner & 1 ? 1 : -1), j + (corner & 2 ? 1 : -1), k + (corner & 4 ? 1 : -1));
    // A cube that reaches behind the source projects to no box: look at all pixels (rare, and still correct).
    if (!(at.depth > 0)) return {0, columns - 1, 0, rows - 1};
    low_c = at.column < low_c ? at.column : low_c;
    high_c = at.column > high_c ? at.column : high_c;
    low_r = at.row < low_r ? at.row : low_r;
    high_r = at.row > high_r ? at.row : high_r;
  }
  // A little more than the corners: on curved detectors the cube's edges bulge.
  const T margin = T(0.02);
  const auto from = [](T x) { return static_cast<int>(ceil(x < 0 ? T(0) : x)); };
  const auto to = [](T x, int size) { return x >= T(size - 1) ? size - 1 : static_cast<int>(floor(x)); };
  if (!(high_c > -1 && high_r > -1 && low_c < T(columns) && low_r < T(rows))) return {0, -1, 0, -1};
  return {from(low_c - margin), to(high_c + margin, columns), from(low_r - margin), to(high_r + margin, rows)};
}

}  // namespace backlit
