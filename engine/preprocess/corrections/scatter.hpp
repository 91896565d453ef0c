// The model of low-frequency scatter, for the host and devices.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/geometry/view.hpp>

namespace backlit {

/// A pixel scatters `share` of I p into a Gaussian, I being the primary beam and p its line integral: what scatters
/// grows with the path and is absorbed on the rest of it. It is computed on coarser pixels, each the mean of `step` x
/// `step`.
struct ScatterKernel {
  std::int64_t step;
  double sigma_u, sigma_v;     ///< in coarser pixels
  std::int64_t columns, rows;  ///< of coarser pixels

  /// width_mm 0: an eighth of the detector's width.
  ScatterKernel(const Detector&, double width_mm);
};

inline constexpr int scatter_passes = 4;
inline constexpr float least_primary = 0.05f;  ///< of the measured beam

/// "0.1 of what a pixel takes from the beam".
std::string share_text(double share);

}  // namespace backlit
