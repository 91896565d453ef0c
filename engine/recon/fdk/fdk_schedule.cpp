#include "recon/fdk/fdk_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {

std::vector<Run> layer_batches(std::int64_t layers, std::int64_t views_per_layer,
                               const std::vector<std::int64_t>& sizes) {
  std::vector<Run> batches;
  for (std::int64_t done = 0; done < layers; done += batches.back().count) {
    const std::int64_t views = sizes.empty() ? 1 : sizes[std::min(batches.size(), sizes.size() - 1)];
    const std::int64_t count = std::max<std::int64_t>(1, (views + views_per_layer - 1) / views_per_layer);
    batches.push_back({done, std::min(count, layers - done)});
  }
  return batches;
}

std::vector<Run> z_slabs(std::int64_t slices, const std::vector<double>& shares, std::int64_t step) {
  double total = 0, sum = 0;
  for (double share : shares) total += share;
  std::vector<Run> slabs;
  std::int64_t done = 0;
  for (std::size_t i = 0; i < shares.size() && done < slices; ++i) {
    sum += shares[i];
    const double at = static_cast<double>(slices) * sum / total / static_cast<double>(step);
    std::int64_t end = std::min(slices, static_cast<std::int64_t>(std::round(at)) * step);
    if (i + 1 == shares.size()) end = slices;
    if (end > done) slabs.push_back({done, end - done});
    done = std::max(done, end);
  }
  if (done < slices) slabs.push_back({done, slices - done});
  return slabs;
}

}  // namespace backlit
