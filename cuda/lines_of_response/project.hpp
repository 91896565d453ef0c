// Forward projection and backprojection of lines through tiles.
#pragma once

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "cuda/lines_of_response/plan.hpp"
#include "cuda/lines_of_response/sums.hpp"
#include "cuda/lines_of_response/variant.hpp"

namespace backlit::cuda {

using Sums = LineOptions::Sums;

inline constexpr int most_warps = 32;  ///< per block
/// Shared memory that kernels declare themselves, besides the tile and its tables: for sums and for largest values.
inline constexpr int block_scratch_floats = 2 * most_warps;

/// Arguments of both directions besides the plan.
struct LineTables {
  const float* weights;    ///< tube_entries per kernel; null: Gaussians, or thin lines
  const TubeTable* tubes;  ///< one per kernel, on the device
  const float* tof;        ///< TofTable::entries + 1
  TofTable tof_table;
  float voxel_mm3;
  float most_weight;  ///< largest weight of a voxel in a line
  float most_sum;     ///< largest sum of a line's weights
};

struct LineWork {
  Sums sums;
  bool thin;
  LineVariant variant;
};

/// Rows first, first + stride, ... of `all`. The other array holds these rows only (compact), or all.
struct RowsOf {
  std::int64_t first, count, stride;
  bool compact;
};
/// y (+)= these rows of `all`.
void take_rows(Stream&, const RowsOf&, const float* all, float* y, bool accumulate);
/// These rows of `all` = y; the others = 0.
void spread_rows(Stream&, const RowsOf&, const float* y, float* all, std::int64_t rows);

/// y (+)= A x.
void forward_lines(Stream&, const LinePlan&, const LineTables&, LineScratch&, const LineWork&, const float* image,
                   std::int64_t voxels, float* y, bool accumulate);
/// x (+)= A' y.
void back_lines(Stream&, const LinePlan&, const LineTables&, LineScratch&, const LineWork&, const float* y,
                float* image, std::int64_t voxels, bool accumulate);

}  // namespace backlit::cuda
