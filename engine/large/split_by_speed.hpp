// Division of work among devices of different speeds.
#pragma once

#include <cstdint>
#include <vector>

namespace backlit {

/// Shares of `total` items in proportion to `speeds`. Shares are multiples of `step`, except the last one that is not
/// 0. A share may be 0.
std::vector<std::int64_t> split_by_speed(std::int64_t total, const std::vector<double>& speeds, std::int64_t step = 1);

}  // namespace backlit
