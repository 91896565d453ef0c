// The two quality measures of RTK's tests.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace backlit::test {

struct Quality {
  double mean_abs = 0;
  double psnr_db = 0;
};

inline Quality quality(std::span<const float> image, std::span<const float> truth, double reference) {
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double d = static_cast<double>(image[i]) - static_cast<double>(truth[i]);
    sum += std::abs(d);
    square += d * d;
  }
  const auto n = static_cast<double>(image.size());
  return {sum / n, square > 0 ? 20 * std::log10(reference) - 10 * std::log10(square / n)
                              : std::numeric_limits<double>::infinity()};
}

}  // namespace backlit::test
