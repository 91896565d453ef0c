// Takes lines through tiles.
#pragma once

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include "cuda/lines_of_response/plan.hpp"
#include "cuda/lines_of_response/sums.hpp"
#include "cuda/lines_of_response/variant.hpp"

namespace backlit::cuda {

using Sums = LineOptions::Sums;

inline constexpr int most_warps = 32;  ///< of a block
/// What kernels declare of shared memory themselves, besides the tile and its tables: for sums and for largest values.
inline constexpr int block_scratch_floats = 2 * most_warps;

/// What both directions need besides the plan.
struct LineTables {
  const float* weights;    ///< tube_entries of each kernel; null: Gaussians, or thin lines
  const TubeTable* tubes;  ///< of each kernel, on the device
  const float* tof;        ///< TofTable::entries + 1
  TofTable tof_table;
  float voxel_mm3;
  float most_weight;  ///< that a voxel can have in a line
  float most_sum;     ///< of all weights of a line
};

struct LineWork {
  Sums sums;
  bool thin;
  LineVariant variant;
};

/// Rows first, first + stride, ... of `all` to or from an array that holds only these, or (not compact) all.
struct RowsOf {
  std::int64_t first, count, stride;
  bool compact;
};
/// y (+)= those rows of `all`.
void take_rows(Stream&, const RowsOf&, const float* all, float* y, bool accumulate);
/// Those rows of `all` = y; the others 0.
void spread_rows(Stream&, const RowsOf&, const float* y, float* all, std::int64_t rows);

/// y (+)= A x.
void forward_lines(Stream&, const LinePlan&, const LineTables&, LineScratch&, const LineWork&, const float* image,
                   std::int64_t voxels, float* y, bool accumulate);
/// x (+)= A' y.
void back_lines(Stream&, const LinePlan&, const LineTables&, LineScratch&, const LineWork&, const float* y,
                float* image, std::int64_t voxels, bool accumulate);

}  // namespace backlit::cuda
