// Finds NaN and infinity in data.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace backlit {

/// Throws InputError(where) when `values` holds NaN or infinity, naming the first such value and their number. `values`
/// are whole images [image][row][column]; the first has the number `first_image`.
void check_finite(std::span<const float> values, std::int64_t columns, std::int64_t rows, std::int64_t first_image,
                  const std::string& where);

}  // namespace backlit
