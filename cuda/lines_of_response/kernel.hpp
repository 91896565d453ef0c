// Choice of a kernel, and the kernels' arguments.
#pragma once

#include "cuda/lines_of_response/project.hpp"

namespace backlit::cuda {

/// Kind of a line: thin (Joseph), or a tube whose weights are computed or looked up.
enum class LineShape { thin, gauss, table };

/// Variation of a kernel in a study; see LineVariant.
enum class Extra { none, looped, precise, racy, half };

/// Chosen at compile time.
struct LineKernel {
  LineShape model;
  Sums sums;
  int threads = 512;
  Extra extra = Extra::none;
};

struct Arguments {
  Tiling tiling[3];
  const LineRecord* records;
  const std::uint32_t* visit_lines;
  const std::uint16_t* visit_slices;
  const WorkItem* items;
  LineTables tables;
  const float* input;  // image or y
  long long* fixed;    // sums of lines or voxels
  float* floating;
  const float* scale;  // for the integer sums
};

std::size_t shared_bytes(const LinePlan&, const LineTables&, LineShape);

}  // namespace backlit::cuda
