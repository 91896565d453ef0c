#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "study/report/figures/plot.hpp"

namespace backlit::report {
namespace {

std::vector<double> usable(const std::vector<double>& values, bool positive) {
  std::vector<double> kept;
  for (const double v : values)
    if (std::isfinite(v) && (!positive || v > 0)) kept.push_back(v);
  return kept;
}

Scale linear_scale(double low, double high) {
  if (!(high > low)) {
    const double room = std::max(std::abs(high) * 0.1, 1e-9);
    low -= low == 0 ? 0 : room;
    high += room;
  }
  Scale scale{low, high, false, round_ticks(low, high, false)};
  if (scale.ticks.size() < 2) return scale;
  const double step = scale.ticks[1] - scale.ticks[0];
  scale.low = std::floor(low / step + 1e-6) * step;
  scale.high = std::ceil(high / step - 1e-6) * step;
  scale.ticks = round_ticks(scale.low, scale.high, false);
  return scale;
}

/// Rounds to the next 1, 2 or 5 times a power of ten, downwards or upwards.
double round_outwards(double value, bool up) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  const auto factors = up ? std::array{1.0, 2.0, 5.0, 10.0} : std::array{10.0, 5.0, 2.0, 1.0};
  for (const double factor : factors)
    if (up ? factor * decade >= value * (1 - 1e-9) : factor * decade <= value * (1 + 1e-9)) return factor * decade;
  return value;
}

Scale logarithmic_scale(double low, double high) {
  Scale scale{round_outwards(low / 1.1, false), round_outwards(high * 1.1, true), true, {}};
  if (scale.high < 4 * scale.low) scale.high = round_outwards(1.5 * scale.high, true);
  scale.ticks = round_ticks(scale.low, scale.high, true);
  while (scale.ticks.size() > 9) {
    std::vector<double> fewer;
    for (std::size_t i = 0; i < scale.ticks.size(); i += 2) fewer.push_back(scale.ticks[i]);
    scale.ticks = fewer;
  }
  return scale;
}

}  // namespace

double Scale::share(double value) const {
  return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

Scale scale_of(const std::vector<double>& values, Growth growth) {
  const bool logarithmic = growth == Growth::logarithmic;
  const std::vector<double> kept = usable(values, logarithmic);
  const double low = kept.empty() ? (logarithmic ? 1 : 0) : std::ranges::min(kept);
  const double high = kept.empty() ? (logarithmic ? 10 : 1) : std::ranges::max(kept);
  if (logarithmic) return logarithmic_scale(low, high);
  return growth == Growth::from_zero ? linear_scale(std::min(0.0, low), std::max(0.0, high)) : linear_scale(low, high);
}

Scale scale_for(const std::vector<double>& values, double factor) {
  const std::vector<double> kept = usable(values, true);
  const bool wide = !kept.empty() && std::ranges::max(kept) > factor * std::ranges::min(kept);
  return scale_of(values, wide ? Growth::logarithmic : Growth::from_zero);
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size >= 99'999.5 || size < 1e-3)) {
    const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return fmt::format("{:g}e{}", value / std::pow(10.0, power), power);
  }
  return fmt::format("{:g}", value);
}

}  // namespace backlit::report
