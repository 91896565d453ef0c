// The weights of a line of response, voxel by voxel: every kernel for lines must agree with them.
#pragma once

#include <backlit/projectors/lines_of_response/tof.hpp>
#include <backlit/projectors/lines_of_response/tube.hpp>
#include "projectors/lines_of_response/thin_line.hpp"

namespace backlit {

/// A tube with this table (TubeKernel), or a thin line without a table.
struct LineShape {
  const float* table = nullptr;
  double radius_mm = 0;
  double entry_per_mm2 = 0;
};

/// Calls use(voxel's place in memory, x fastest; weight in mm) for every voxel of the grid with a weight in the line.
/// The sum of weights times values is the line integral. `tof` null: without time of flight. All voxels of a slice have
/// the time-of-flight share of the point where the line's axis meets the slice.
template <class Use>
BACKLIT_HD inline void each_weight(const Lor<double>& l, const LorGrid& g, const LineShape& shape, const TofKernel* tof,
                                   Use&& use) {
  const int a = first_in_slice(l.axis), b = second_in_slice(l.axis);
  const long long strides[3] = {1, g.size[0], static_cast<long long>(g.size[0]) * g.size[1]};
  TubeFootprint<double> f{0, 0, 0, joseph_reach, joseph_reach};
  if (shape.table) f = tube_footprint(l, g.spacing, shape.radius_mm);
  const double per_slice = shape.table ? g.voxel_mm3() : l.step;
  const SliceRange slices = slices_within(l, 0.0, g.size[l.axis] - 1.0, 0.0, g.size[a] - 1.0, 0.0, g.size[b] - 1.0,
                                          f.reach_a, f.reach_b, tof ? tof->reach() / l.step : -1.0);
  for (int s = slices.first; s <= slices.last; ++s) {
    double share = slab_share(l, static_cast<double>(s)) * per_slice;
    if (tof) share *= tof_weight(*tof, (s - l.tof) * l.step);
    if (!(share > 0)) continue;
    const double at_a = l.a + s * l.da, at_b = l.b + s * l.db;
    const double last_a = at_a + f.reach_a, last_b = at_b + f.reach_b;
    const int low_a = at_a - f.reach_a > 0 ? static_cast<int>(ceil(at_a - f.reach_a)) : 0;
    const int low_b = at_b - f.reach_b > 0 ? static_cast<int>(ceil(at_b - f.reach_b)) : 0;
    const int high_a = last_a < g.size[a] - 1 ? static_cast<int>(floor(last_a)) : g.size[a] - 1;
    const int high_b = last_b < g.size[b] - 1 ? static_cast<int>(floor(last_b)) : g.size[b] - 1;
    for (int j = low_b; j <= high_b; ++j) {
      const double y = j - at_b, square = f.bb * y * y, cross = 2 * f.ab * y, row = joseph_share(y);
      const long long first = s * strides[l.axis] + j * strides[b];
      for (int i = low_a; i <= high_a; ++i) {
        const double x = i - at_a;
        const double weight = shape.table
                                  ? tube_weight(shape.table, ((f.aa * x + cross) * x + square) * shape.entry_per_mm2)
                                  : joseph_share(x) * row;
        if (weight > 0) use(first + i * strides[a], share * weight);
      }
    }
  }
}

}  // namespace backlit
