// From line integrals on the host to filtered, weighted views on the device: the first half of FDK.
#pragma once

#include <span>

#include <backlit/device/device_array.hpp>
#include <backlit/geometry/view.hpp>

namespace backlit {

/// A plan for one scan. Weights (cosine, redundancy, angular gaps) and the ramp are applied so that
/// backprojecting with Weighting::fdk gives absolute values in 1/mm.
class ProjectionFilter {
 public:
  virtual ~ProjectionFilter() = default;
  /// The scan of the filtered views. A displaced detector is wider here than as measured: the ramp filter spreads
  /// values beyond its short side, and backprojection needs them.
  virtual const Scan& scan() const = 0;
  /// Filters views [first, first + out.shape().n2) given on the host (rows x columns as measured) into `out`
  /// (rows x columns of scan(), overwritten).
  virtual void run(std::int64_t first, std::span<const float> views, DeviceArray& out) = 0;
  /// The same for measured views that are on the device already, so that another filter needs no new upload. `views`
  /// and `out` are different arrays. Filters on the host download the views. Throws Unsupported where a backend cannot.
  virtual void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out);
};

}  // namespace backlit
