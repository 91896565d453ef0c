// Smoothing of volumes along x, then y, then z, with weights that depend on the distance alone.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/device/device_array.hpp>

namespace backlit {

/// For each axis the weights by distance: of the voxel itself, of its two neighbours, of the two voxels behind these,
/// ...
using BlurWeights = std::array<std::vector<double>, 3>;

/// Gaussian weights, cut at 4 standard deviations, of sum 1. Throws InputError when the width is not positive.
BlurWeights gaussian_weights(const VolumeGrid&, double fwhm_mm);

/// The smoothed value i of a line of n values; values beyond the line are 0. `weight(k)` for k = 0 ... reach.
template <class T, class Weight, class Value>
BACKLIT_HD inline T blurred(int i, int n, int reach, const Weight& weight, const Value& value) {
  T sum = weight(0) * value(i);
  for (int k = 1; k <= reach; ++k) {
    if (i >= k) sum += weight(k) * value(i - k);
    if (i + k < n) sum += weight(k) * value(i + k);
  }
  return sum;
}

/// A plan that smooths volumes. Its weights are symmetric and the same everywhere, so it is its own transpose.
class Blur {
 public:
  virtual ~Blur() = default;
  /// Smooths `from` along axis 0, 1 or 2 and overwrites `to`, another array.
  virtual void along(int axis, const DeviceArray& from, DeviceArray& to) = 0;
};

/// Implemented by backends that smooth.
class BlurOperations {
 public:
  virtual ~BlurOperations() = default;
  /// The backend must outlive the plan.
  virtual std::unique_ptr<Blur> make_blur(const BlurWeights&) = 0;
};

}  // namespace backlit
