// Distance-driven projection (De Man and Basu 2002, 2004). A detector cell sees the mean of a slab of voxels over its
// footprint: the rectangle that the cell's edges cut out of the slab's middle plane.
//
// All lengths are in voxels. A view looks along its main axis, x or y; a slab holds the voxels of one index along it.
// In a slab, voxel i lies between i and i + 1 across the view, and slice k between k and k + 1 along z. Over the slabs,
// the edges of columns are straight lines. So are the edges of rows, in each column, seen from the column's middle:
//
//   A(c, r; i, k, slab) = length(c, r) . |[q_c, q_c+1] with [i, i+1]| / (q_c+1 - q_c)
//                                      . |[z_r, z_r+1] with [k, k+1]| / |z_r+1 - z_r|
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>

namespace backlit {

/// The edge between two columns of the detector.
template <class T>
struct ColumnEdge {
  T first;     ///< where the edge meets the middle of slab 0
  T per_slab;  ///< movement of the edge from slab to slab

  BACKLIT_HD T at(T slab) const { return first + per_slab * slab; }
};

/// A column of the detector: edge r of its rows lies at z = base + r step, both linear over the slabs.
template <class T>
struct RowEdges {
  T base, base_per_slab;
  T step, step_per_slab;  ///< negative where rows run down
  T square_mm;            ///< mm^2: squared length of the middle ray in a slab, as seen along z
  T mm;                   ///< a slice's thickness

  BACKLIT_HD T base_at(T slab) const { return base + base_per_slab * slab; }
  BACKLIT_HD T step_at(T slab) const { return step + step_per_slab * slab; }
  /// mm that the ray through the middle of cell `row` spends in a slab.
  BACKLIT_HD T length(T row) const {
    using std::sqrt;
    const T rise = mm * (base_per_slab + (row + T(0.5)) * step_per_slab);
    return sqrt(square_mm + rise * rise);
  }
};

/// Length of [a, b] within [c, d]; not positive where they do not meet.
template <class T>
BACKLIT_HD inline T overlap(T a, T b, T c, T d) {
  return (b < d ? b : d) - (a > c ? a : c);
}

/// Calls visit(row, slice, length) for all rows and slices that overlap: the distance-driven loop, which walks along
/// both lists of edges at once. Edges of rows lie at base + r step, step not 0; edges of slices at the integers up to
/// `slices`.
template <class T, class Visit>
BACKLIT_HD inline void walk_overlaps(T base, T step, int rows, int slices, Visit visit) {
  const bool down = step < 0;
  if (down) {  // from the last row's far edge, upwards
    base += static_cast<T>(rows) * step;
    step = -step;
  }
  using std::floor;
  int r =
      base < 0 ? static_cast<int>(floor(-base / step < static_cast<T>(rows) ? -base / step : static_cast<T>(rows))) : 0;
  int k = base > 0 ? static_cast<int>(floor(base < static_cast<T>(slices) ? base : static_cast<T>(slices))) : 0;
  T at = base > 0 ? base : T(0);
  while (r < rows && k < slices) {
    const T row_end = base + static_cast<T>(r + 1) * step, slice_end = static_cast<T>(k + 1);
    const T next = row_end < slice_end ? row_end : slice_end;
    if (next > at) {
      visit(down ? rows - 1 - r : r, k, next - at);
      at = next;
    }
    if (row_end < slice_end)
      ++r;
    else
      ++k;
  }
}

}  // namespace backlit
