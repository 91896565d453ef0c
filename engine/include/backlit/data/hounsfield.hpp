// Hounsfield units.
#pragma once

#include <span>

namespace backlit {

/// Attenuations become HU, in place: 1000 (value / water - 1); `water` in the unit of the values. Throws InputError
/// when it is not positive.
void to_hounsfield(std::span<float> values, double water);

}  // namespace backlit
