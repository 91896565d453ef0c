// The number of ordered subsets that suits a scan.
#pragma once

#include <cstdint>

namespace backlit {

/// `asked`, or for 0 a number by the number of views. It is at most 10, with at least 6 views each: with fewer views an
/// update, methods with momentum are unstable. If 5 or more subsets can divide quarter-turn groups evenly, it is the
/// largest such number.
inline std::int64_t subset_count(std::int64_t asked, std::int64_t views) {
  if (asked > 0) return asked;
  const std::int64_t most = views < 12 ? 1 : views < 60 ? views / 6 : 10;
  for (std::int64_t n = most; n >= 5; --n)
    if (views % (4 * n) == 0) return n;
  return most;
}

}  // namespace backlit
