// The transpose of Joseph's projection, one voxel after another in double precision.
#pragma once

#include <span>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Random voxels, and what the transpose gives them.
struct TransposedVoxels {
  std::vector<std::int64_t> voxels;  ///< indices, x fastest
  std::vector<double> values;
};

/// Of 300 voxels. `views` = [view][row][column].
TransposedVoxels transposed_voxels(const BenchCase&, std::span<const float> views, StackChoice);

/// Relative L2 over these voxels of a whole volume.
double relative_l2(const TransposedVoxels&, std::span<const float> volume);

}  // namespace backlit
