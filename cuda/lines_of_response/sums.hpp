// Sums of lines and voxels in 64-bit integers, and their scales.
#pragma once

#include <cstdint>

#include "cuda/device/launch.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {

struct LineScratch {
  PoolBuffer<long long> lines, voxels;
  PoolBuffer<float> scale;  ///< 0: of lines, 1: of voxels
};

void prepare(Stream&, LineScratch&, std::int64_t lines, std::int64_t voxels);

/// The largest power of two that keeps a bound of the n values times `weight` below 2^61. For voxels' sums the bound is
/// the sum of all magnitudes, for lines' sums the largest magnitude.
void choose_scale(Stream&, LineScratch&, const float* values, std::int64_t n, bool of_voxels, float weight);
/// values (+)= sums / scale.
void finish_sums(Stream&, const char* name, const long long* sums, const float* scale, std::int64_t n, float* values,
                 bool accumulate);

}  // namespace backlit::cuda
