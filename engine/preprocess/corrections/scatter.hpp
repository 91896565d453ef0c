// The model of low-frequency scatter, for the host and devices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <backlit/data/volume.hpp>
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

/// The share is fitted with every n-th view: a slice of some 180 to 360 views shows it.
std::int64_t scatter_stride(std::int64_t views);
/// The share, at most 0.5, with which the middle slice's main material is flattest; 0 where none makes it flatter.
/// Throws InputError("scatter_share") where the slice has no homogeneous part.
double fitted_share(const std::function<Volume(double share)>& slice);
/// "fitted: 0.1 of what a pixel takes from the beam".
std::string fitted_text(double share);

/// "0.1 of what a pixel takes from the beam".
std::string share_text(double share);

}  // namespace backlit
