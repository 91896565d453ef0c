#include <backlit/device/blur.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

BlurWeights gaussian_weights(const VolumeGrid& grid, double fwhm_mm) {
  if (!(fwhm_mm > 0 && std::isfinite(fwhm_mm)))
    throw InputError("blur", fmt::format("a width of {} mm", fwhm_mm), "give a positive number of mm");
  BlurWeights result;
  for (int axis = 0; axis < 3; ++axis) {
    const double sigma = fwhm_mm / 2.3548200450309493 / grid.spacing[axis];
    const auto reach = static_cast<std::int64_t>(
        std::min(std::ceil(4 * sigma), static_cast<double>(grid.size[static_cast<std::size_t>(axis)])));
    auto& weights = result[static_cast<std::size_t>(axis)];
    double sum = 0;
    for (std::int64_t i = 0; i <= reach; ++i) {
      const double x = static_cast<double>(i) / sigma;
      weights.push_back(std::exp(-0.5 * x * x));
      sum += i == 0 ? 1 : 2 * weights.back();
    }
    for (double& w : weights) w /= sum;
  }
  return result;
}

}  // namespace backlit
