// The median of the magnitudes in each of several images.
#pragma once

#include "cuda/device/launch.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {

/// Exact, by histograms of 11, 10 and 10 bits.
class SizeMedian {
 public:
  SizeMedian(Stream&, std::int64_t most_images);
  /// medians[i]: of `pixels` magnitudes the one that pixels / 2 others are not above.
  void run(const float* values, std::int64_t pixels, std::int64_t images, float* medians);

 private:
  Stream& stream_;
  PoolBuffer<uint2> search_;  ///< upper bits found so far; rank among the values that have them
  PoolBuffer<unsigned> bins_;
};

}  // namespace backlit::cuda
