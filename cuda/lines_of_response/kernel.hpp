// The kernels' ways of doing their work, and what they are given.
#pragma once

#include "cuda/lines_of_response/project.hpp"

namespace backlit::cuda {

enum class Model { joseph, gauss, table };

/// What a kernel of a study does otherwise; see LineVariant.
enum class Extra { none, looped, precise, racy, half };

/// Chosen when kernels are compiled.
struct Way {
  Model model;
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
  const float* scale;  // of the fixed sums
};

std::size_t shared_bytes(const LinePlan&, const LineTables&, Model);

/// Starts the kernel of a study (variants.cu), for Gaussian tubes and the sums of LineVariant::floating(); false when
/// the variant has none in this direction.
bool start_variant(Stream&, const LinePlan&, const Arguments&, const LineVariant&, bool forward);

}  // namespace backlit::cuda
