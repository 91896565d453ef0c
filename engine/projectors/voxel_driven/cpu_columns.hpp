// Backprojection of whole columns of voxels, where a column along z projects to a column of the detector.
#pragma once

#include <cstdint>
#include <span>

#include <backlit/core/index_range.hpp>
#include "geometry/view_map.hpp"

namespace backlit {

/// Is the place along rows the same for all slices, and the row linear in the slice? So it is where the detector's
/// columns are parallel to z.
bool sees_columns(const ViewMap<double>&, std::int64_t slices);

/// A view of columns x rows values. `axis`: R of FDK's weight (R / depth)^2; 0: no weight.
struct ColumnView {
  const ViewMap<double>* map;
  const double* values;
  double axis;
};

/// The part of a volume and of the detector that are in memory. Voxels and rows keep the numbers that they have in the
/// whole, so parts get the bits of the whole.
struct ColumnShape {
  std::int64_t nx, ny;
  IndexRange slices;
  std::int64_t columns;
  IndexRange rows;
  bool nearest;
};

/// volume += the views, in their order. The volume has x fastest.
void backproject_columns(const ColumnShape&, std::span<const ColumnView>, double* volume);

}  // namespace backlit
