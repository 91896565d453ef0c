// The level of the beam in each view, from air at the detector's sides, for the host and devices.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <backlit/core/hd.hpp>
#include <backlit/data/projections.hpp>

namespace backlit {

/// Mean line integrals at the left and at the right of a view.
struct AirLevels {
  double left = 0, right = 0;
};

/// Of the columns first .. first + count - 1 at the left, and their mirror images at the right.
AirLevels air_levels(std::span<const float> view, const Detector&, std::int64_t first, std::int64_t count);

/// The level at a column: linear through the middles of the outermost `air` columns at either side.
BACKLIT_HD inline float air_at(const AirLevels& level, std::int64_t column, std::int64_t columns, std::int64_t air) {
  const double slope = (level.right - level.left) / static_cast<double>(columns - air);
  return static_cast<float>(level.left + slope * (static_cast<double>(column) - 0.5 * static_cast<double>(air - 1)));
}

/// Throws InputError where the columns at both sides are more than the detector has.
void check_air(std::int64_t columns, const Detector&);

/// "levels up to 0.02".
std::string air_text(std::span<const AirLevels> of_views);

}  // namespace backlit
