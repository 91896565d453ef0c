// What benchmarks are run on: views of a known object, and the right answer at a sample of the voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "data/host_array.hpp"
#include "study/cases.hpp"

namespace backlit {

struct BenchData {
  HostArray<float> views;            ///< FDK-filtered, [view][row][column]
  std::vector<std::int64_t> voxels;  ///< indices of a sample of the grid, x fastest; empty for random views
  std::vector<double> values;        ///< their backprojection in double precision, 1/mm
};

/// Noise in [-1, 1): fast to make, and no slower or faster for a texture unit than data. No right answer.
BenchData random_views(const BenchCase&);

/// Exact line integrals of the FORBILD head without ears (bone up to 0.036/mm), filtered for FDK, and the
/// double-precision backprojection of 20,000 random voxels within the head's box.
BenchData head_views(const BenchCase&);

/// Root mean square difference over the sample, in Hounsfield units with water at 0.02/mm.
double rmse_hu(const BenchData&, std::span<const float> volume);

/// Overwrites with noise in [-1, 1), the same at every run.
void fill_random(std::span<float> values);

}  // namespace backlit
