// Order of a pipeline's views and slabs, planned on the host before anything runs.
#pragma once

#include <cstdint>
#include <vector>

namespace backlit {

/// Consecutive items [first, first + count).
struct Run {
  std::int64_t first = 0, count = 0;
  bool operator==(const Run&) const = default;
};

/// Divides `layers` texture layers of `views_per_layer` views each into batches. Sizes are in views, rounded up to
/// whole layers, at least one; the last size repeats. Small first batches let the device start early.
std::vector<Run> layer_batches(std::int64_t layers, std::int64_t views_per_layer,
                               const std::vector<std::int64_t>& sizes);

/// Divides `slices` into slabs in proportion to `shares`, at multiples of `step` slices; empty slabs are left out. The
/// last slab is computed while earlier slabs are downloaded.
std::vector<Run> z_slabs(std::int64_t slices, const std::vector<double>& shares, std::int64_t step);

}  // namespace backlit
