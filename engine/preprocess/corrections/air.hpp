// The level of the beam in each view, from air at the detector's sides, for the host and devices.
#pragma once

#include <cstdint>
#include <span>

#include <backlit/data/projections.hpp>

namespace backlit {

/// Mean line integrals at the left and at the right of a view.
struct AirLevels {
  double left = 0, right = 0;
};

/// Of the columns first .. first + count - 1 at the left, and their mirror images at the right.
AirLevels air_levels(std::span<const float> view, const Detector&, std::int64_t first, std::int64_t count);

/// Throws InputError where the columns at both sides are more than the detector has.
void check_air(std::int64_t columns, const Detector&);

}  // namespace backlit
