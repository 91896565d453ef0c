#include "preprocess/corrections/main_material.hpp"

#include <algorithm>
#include <limits>

namespace backlit {
namespace {

/// Marks that all voxels within two columns and two rows of the slice have, too.
std::vector<char> eroded(const std::vector<char>& marks, const Size3& size) {
  std::vector<char> out(marks.size(), 0);
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 2; y < size[1] - 2; ++y)
      for (std::int64_t x = 2; x < size[0] - 2; ++x) {
        bool all = true;
        for (std::int64_t j = y - 2; all && j <= y + 2; ++j)
          for (std::int64_t i = x - 2; all && i <= x + 2; ++i)
            all = marks[static_cast<std::size_t>((z * size[1] + j) * size[0] + i)] != 0;
        out[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] = all;
      }
  return out;
}

}  // namespace

double material_threshold(const std::array<std::int64_t, material_bins>& count, float low, float high) {
  const double width = (static_cast<double>(high) - static_cast<double>(low)) / material_bins;
  double all = 0, sum = 0;
  for (int i = 0; i < material_bins; ++i) {
    const auto n = static_cast<double>(count[static_cast<std::size_t>(i)]);
    all += n;
    sum += i * n;
  }
  double below = 0, sum_below = 0, best = -1, threshold = 0;
  for (int i = 0; i < material_bins - 1; ++i) {
    const auto n = static_cast<double>(count[static_cast<std::size_t>(i)]);
    below += n;
    sum_below += i * n;
    if (below == 0 || below == all) continue;
    const double difference = sum_below / below - (sum - sum_below) / (all - below);
    const double between = below * (all - below) * difference * difference;
    if (between > best) {
      best = between;
      threshold = static_cast<double>(low) + width * (i + 1);
    }
  }
  return threshold;
}

MaterialValues material_values(const Volume& volume, double most) {
  std::vector<float> seen;
  for (const float v : volume.values)
    if (v != 0 && static_cast<double>(v) < most) seen.push_back(v);
  if (std::ssize(seen) < least_material) return {};
  const auto [low, high] = std::ranges::minmax(seen);
  if (!(high > low)) return {static_cast<double>(high), 0};
  std::array<std::int64_t, material_bins> count{};
  for (const float v : seen) ++count[static_cast<std::size_t>(material_bin(v, low, high))];
  const double threshold = material_threshold(count, low, high);
  std::erase_if(seen, [&](float v) { return static_cast<double>(v) <= threshold; });
  if (seen.empty()) return {threshold, 0};
  std::ranges::nth_element(seen, seen.begin() + std::ssize(seen) / 2);
  return {threshold, static_cast<double>(seen[seen.size() / 2])};
}

MainMaterial main_material(const Volume& volume) {
  MainMaterial found{material_values(volume, std::numeric_limits<double>::infinity()), {}, {}};
  const auto voxels = static_cast<std::size_t>(volume.values.size());
  found.inside.assign(voxels, 0);
  found.outside.assign(voxels, 0);
  if (found.median == 0) return found;
  for (std::size_t i = 0; i < voxels; ++i) {
    const auto v = static_cast<double>(volume.values[static_cast<std::int64_t>(i)]);
    found.inside[i] = v > found.threshold && v < 1.5 * found.median;
    found.outside[i] = v != 0 && v <= found.threshold;
  }
  found.inside = eroded(found.inside, volume.grid.size);
  found.outside = eroded(found.outside, volume.grid.size);
  return found;
}

}  // namespace backlit
