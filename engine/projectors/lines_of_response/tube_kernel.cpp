#include <backlit/projectors/lines_of_response/tube_kernel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit {
namespace {

void require_length(double mm, const char* what) {
  if (!(mm > 0 && std::isfinite(mm)))
    throw InputError("tube", fmt::format("a {} of {} mm", what, mm), "give a positive number of mm");
}

/// A kernel with the shape of `f(r)`; the scale of f does not count.
template <class F>
TubeKernel kernel_of(double radius, F&& f) {
  TubeKernel kernel{radius, std::vector<float>(tube_entries), 0};
  std::vector<double> values(tube_entries);
  double sum = 0;  // integral of the interpolated table, by the trapezoid rule
  for (int k = 0; k < tube_entries; ++k) {
    const double share = static_cast<double>(k) / (tube_entries - 1), value = f(radius * std::sqrt(share));
    values[static_cast<std::size_t>(k)] = value;
    sum += k == 0 || k == tube_entries - 1 ? value / 2 : value;
  }
  if (!(sum > 0)) throw InputError("tube", "weights add up to nothing", "give weights above 0");
  const double scale = 1 / (pi * radius * radius * sum / (tube_entries - 1));
  std::ranges::transform(values, kernel.table.begin(), [&](double v) { return static_cast<float>(v * scale); });
  return kernel;
}

}  // namespace

TubeKernel gaussian_tube(double fwhm_mm, double radius_mm) {
  require_length(fwhm_mm, "width");
  require_length(radius_mm, "radius");
  const double sigma = fwhm_mm / (2 * std::sqrt(2 * std::log(2.0)));
  TubeKernel kernel = kernel_of(radius_mm, [&](double r) { return std::exp(-r * r / (2 * sigma * sigma)); });
  kernel.gauss_sigma_mm = sigma;
  return kernel;
}

TubeKernel box_tube(double radius_mm) {
  require_length(radius_mm, "radius");
  return kernel_of(radius_mm, [](double) { return 1.0; });
}

TubeKernel bessel_tube(double radius_mm, double alpha) {
  require_length(radius_mm, "radius");
  if (!(alpha > 0 && alpha < 100)) throw InputError("tube", fmt::format("alpha = {}", alpha), "give 1 to 100");
  return kernel_of(radius_mm, [&](double r) {
    const double y = std::max(0.0, 1 - r * r / (radius_mm * radius_mm));
    return std::pow(y, 1.25) * std::cyl_bessel_i(2.5, alpha * std::sqrt(y));
  });
}

TubeKernel measured_tube(const std::vector<std::array<double, 2>>& profile, const std::string& where) {
  if (profile.size() < 2) throw InputError(where, "has fewer than two distances", "give lines of: mm weight");
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto [r, weight] = profile[i];
    if (!std::isfinite(r) || (i == 0 ? r != 0 : r <= profile[i - 1][0]))
      throw InputError(where, fmt::format("distance {} is {} mm", i + 1, r), "distances begin at 0 and ascend");
    if (!(weight >= 0 && std::isfinite(weight)))
      throw InputError(where, fmt::format("weight {} is {}", i + 1, weight), "weights are 0 or more");
  }
  return kernel_of(profile.back()[0], [&](double r) {
    auto upper = std::ranges::lower_bound(profile, r, {}, [](const auto& p) { return p[0]; });
    if (upper == profile.end()) return profile.back()[1];
    if (upper == profile.begin()) return profile.front()[1];
    const auto& [r0, w0] = *(upper - 1);
    const auto& [r1, w1] = *upper;
    return w0 + (r - r0) / (r1 - r0) * (w1 - w0);
  });
}

double blob_value(double mm, double radius_mm, double alpha) {
  const double y = 1 - mm * mm / (radius_mm * radius_mm);
  if (!(y > 0)) return 0;
  // The integral of y I_2(alpha sqrt(y)) over the ball is (2 pi / alpha)^(3/2) radius^3 I_7/2(alpha).
  const double whole = std::pow(2 * pi / alpha, 1.5) * std::pow(radius_mm, 3) * std::cyl_bessel_i(3.5, alpha);
  return y * std::cyl_bessel_i(2.0, alpha * std::sqrt(y)) / whole;
}

}  // namespace backlit
