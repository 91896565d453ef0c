// Consecutive items.
#pragma once

#include <cstdint>

namespace backlit {

/// [first, first + count).
struct IndexRange {
  std::int64_t first = 0, count = 0;
  std::int64_t end() const { return first + count; }
  bool contains(std::int64_t item) const { return item >= first && item < end(); }
  bool operator==(const IndexRange&) const = default;
};

}  // namespace backlit
