// Views on the device, one after another.
#pragma once

#include <algorithm>
#include <cstdint>

#include <backlit/core/hd.hpp>

namespace backlit::cuda {

constexpr int block_threads = 256;

struct Images {
  float* values;
  int columns, rows;
  std::int64_t count;

  BACKLIT_HD std::int64_t pixels() const { return std::int64_t{columns} * rows; }
  BACKLIT_HD float* image(std::int64_t i) const { return values + i * pixels(); }
  Images some(std::int64_t first, std::int64_t n) const { return {image(first), columns, rows, n}; }
};

/// The place in 0 to n - 1 that i shows in mirrors at both ends.
BACKLIT_HD inline int mirrored(int i, int n) {
  if (i >= 0 && i < n) return i;
  const int period = 2 * n, k = (i % period + period) % period;
  return k < n ? k : period - 1 - k;
}

/// How many things of `bytes` go through all steps of a correction before the next, so that they stay in the cache.
inline std::int64_t cached(std::int64_t bytes, std::int64_t count, std::int64_t cache = std::int64_t{16} << 20) {
  return std::clamp<std::int64_t>(cache / std::max<std::int64_t>(1, bytes), 1, std::max<std::int64_t>(1, count));
}

/// Calls f(first, count) for batches that stay in the cache.
template <class F>
void for_cached(std::int64_t bytes, std::int64_t count, F&& f) {
  const std::int64_t at_once = cached(bytes, count);
  for (std::int64_t first = 0; first < count; first += at_once) f(first, std::min(at_once, count - first));
}

}  // namespace backlit::cuda
