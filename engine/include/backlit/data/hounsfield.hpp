// Hounsfield units.
#pragma once

#include <span>

namespace backlit {

/// A straight scale: value = zero + step * number.
struct LinearScale {
  double zero = 0, step = 1;
  double value(double number) const { return zero + step * number; }
  double number(double value) const { return (value - zero) / step; }
};

/// HU as numbers: 0 is water, -1000 air; both in the unit of the values.
inline LinearScale hounsfield_scale(double water, double air = 0) { return {water, (water - air) / 1000}; }

/// Attenuations become HU, in place: 0 is `water`, -1000 is a value of 0. Throws InputError when `water` is not
/// positive.
void to_hounsfield(std::span<float> values, double water);

}  // namespace backlit
