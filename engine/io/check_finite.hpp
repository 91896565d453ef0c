// Finding values that no computation survives.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace backlit {

/// Throws InputError(where) when `values` ([image][row][column], whole images of which the first is number
/// `first_image`) holds NaN or infinity, naming the first such value and how many there are.
void check_finite(std::span<const float> values, std::int64_t columns, std::int64_t rows, std::int64_t first_image,
                  const std::string& where);

}  // namespace backlit
