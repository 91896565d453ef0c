// How many ordered subsets suit a scan.
#pragma once

#include <cstdint>

namespace backlit {

/// `asked`, or for 0 a number for so many views: at most 10, of 6 views or more each, for fewer views an update make
/// methods with momentum unstable. Where 5 or more of them share quarter-turn groups evenly, as many as do.
inline std::int64_t subset_count(std::int64_t asked, std::int64_t views) {
  if (asked > 0) return asked;
  const std::int64_t most = views < 12 ? 1 : views < 60 ? views / 6 : 10;
  for (std::int64_t n = most; n >= 5; --n)
    if (views % (4 * n) == 0) return n;
  return most;
}

}  // namespace backlit
