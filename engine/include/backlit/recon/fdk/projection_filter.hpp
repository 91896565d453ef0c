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
  /// The scan that filtered views belong to. A displaced detector is wider here than as measured: beyond its short side
  /// lies what the ramp spreads there, and backprojection needs it.
  virtual const Scan& scan() const = 0;
  /// Filters views [first, first + out.shape().n2) given on the host (rows x columns as measured) into `out`
  /// (rows x columns of scan(), overwritten).
  virtual void run(std::int64_t first, std::span<const float> views, DeviceArray& out) = 0;
  /// The same for views (as measured) that are on the device already, so that another filter can be tried without
  /// moving them. `views` and `out` are different arrays. Filters of the host move them all the same. Throws
  /// Unsupported where a backend has not got that far.
  virtual void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out);
};

}  // namespace backlit
