// How work is shared by devices that are not equally fast.
#pragma once

#include <cstdint>
#include <vector>

namespace backlit {

/// Shares of `total` items in proportion to `speeds`, whole multiples of `step` but for the last that gets anything. A
/// device that would get nothing gets nothing.
std::vector<std::int64_t> split_by_speed(std::int64_t total, const std::vector<double>& speeds, std::int64_t step = 1);

}  // namespace backlit
