// The transpose of Joseph's projection for single voxels in double precision.
#pragma once

#include <span>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Random voxels and their values in the transpose.
struct TransposedVoxels {
  std::vector<std::int64_t> voxels;  ///< indices, x fastest
  std::vector<double> values;
};

/// Computes 300 voxels. `views` = [view][row][column].
TransposedVoxels transposed_voxels(const BenchCase&, std::span<const float> views, StackChoice);

/// Relative L2 of a whole volume over these voxels.
double relative_l2(const TransposedVoxels&, std::span<const float> volume);

}  // namespace backlit
