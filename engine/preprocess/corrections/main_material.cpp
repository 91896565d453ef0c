#include "preprocess/corrections/main_material.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace backlit {
namespace {

constexpr int bins = 256;

/// The threshold that parts a histogram into two classes whose means differ most.
double otsu(const std::vector<float>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  if (!(high > low)) return static_cast<double>(high);
  const double width = (static_cast<double>(high) - static_cast<double>(low)) / bins;
  std::array<double, bins> count{};
  for (const float v : values)
    count[static_cast<std::size_t>(
        std::clamp<int>(static_cast<int>((static_cast<double>(v) - static_cast<double>(low)) / width), 0, bins - 1))]++;
  double all = 0, sum = 0;
  for (int i = 0; i < bins; ++i) {
    all += count[static_cast<std::size_t>(i)];
    sum += i * count[static_cast<std::size_t>(i)];
  }
  double below = 0, sum_below = 0, best = -1, threshold = 0;
  for (int i = 0; i < bins - 1; ++i) {
    below += count[static_cast<std::size_t>(i)];
    sum_below += i * count[static_cast<std::size_t>(i)];
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

MainMaterial main_material(const Volume& volume, double most) {
  MainMaterial found;
  std::vector<float> seen;
  for (const float v : volume.values)
    if (v != 0 && static_cast<double>(v) < most) seen.push_back(v);
  const auto voxels = static_cast<std::size_t>(volume.values.size());
  found.inside.assign(voxels, 0);
  found.outside.assign(voxels, 0);
  if (seen.size() < 16) return found;
  found.threshold = otsu(seen);
  std::erase_if(seen, [&](float v) { return static_cast<double>(v) <= found.threshold; });
  if (seen.empty()) return found;
  std::ranges::nth_element(seen, seen.begin() + std::ssize(seen) / 2);
  found.value = static_cast<double>(seen[seen.size() / 2]);
  for (std::size_t i = 0; i < voxels; ++i) {
    const auto v = static_cast<double>(volume.values[static_cast<std::int64_t>(i)]);
    found.inside[i] = v > found.threshold && v < 1.5 * found.value;
    found.outside[i] = v != 0 && v <= found.threshold;
  }
  found.inside = eroded(found.inside, volume.grid.size);
  found.outside = eroded(found.outside, volume.grid.size);
  return found;
}

}  // namespace backlit
