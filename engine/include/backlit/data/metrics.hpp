// Measures of the difference between two arrays.
#pragma once

#include <span>

#include <backlit/geometry/types.hpp>

namespace backlit {

struct Metrics {
  double rmse = 0;          ///< root of the mean squared difference
  double mean_abs = 0;      ///< mean of |a - b|
  double max_abs = 0;       ///< largest |a - b|
  double relative_max = 0;  ///< max_abs / max |b|; infinite where b is 0
  double relative_l2 = 0;   ///< |a - b| / |b|; infinite when b vanishes and a does not
  double psnr_db = 0;       ///< 20 log10((max b - min b) / rmse); infinite when a = b
  double ssim = 0;          ///< see structural_similarity()
};

/// Compares `a` with the reference `b`, both of `size` (fastest first). Throws InputError when a value is not finite.
Metrics compare(std::span<const float> a, std::span<const float> b, const Size3& size);

/// Mean structural similarity (Wang et al. 2004, doi 10.1109/TIP.2003.819861) in three dimensions. Windows are uniform
/// and have 7 values along each axis, or the largest odd number that fits along a shorter axis. Only windows wholly
/// inside the array count. Sample variances, K1 = 0.01, K2 = 0.03, dynamic range max b - min b (1 when b is constant).
double structural_similarity(std::span<const float> a, std::span<const float> b, const Size3& size);

}  // namespace backlit
