// From line integrals on the host to filtered, weighted views on the device: the first half of FDK.
#pragma once

#include <span>

#include "backend/device_array.hpp"

namespace backlit {

/// A plan for one scan. Weights (cosine, redundancy, angular gaps) and the ramp are applied so that
/// backprojecting with Weighting::fdk gives absolute values in 1/mm.
class ProjectionFilter {
 public:
  virtual ~ProjectionFilter() = default;
  /// Filters views [first, first + out.shape().n2) given on the host (rows x columns each) into `out` (overwritten).
  virtual void run(std::int64_t first, std::span<const float> views, DeviceArray& out) = 0;
};

}  // namespace backlit
