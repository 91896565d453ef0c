#include "pet/rod_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "pet/image_quality.hpp"

namespace backlit {
namespace {

constexpr std::size_t fewest = 3;

/// Middles between neighbours, which lie as close as any two do.
std::vector<glm::dvec2> middles(const std::vector<glm::dvec2>& rods) {
  double closest = 1e30;
  const auto each_pair = [&](auto&& f) {
    for (std::size_t i = 0; i < rods.size(); ++i)
      for (std::size_t j = i + 1; j < rods.size(); ++j) f(rods[i], rods[j]);
  };
  each_pair([&](const auto& a, const auto& b) { closest = std::min(closest, glm::distance(a, b)); });
  std::vector<glm::dvec2> found;
  each_pair([&](const auto& a, const auto& b) {
    if (glm::distance(a, b) < 1.05 * closest) found.push_back(0.5 * (a + b));
  });
  return found;
}

}  // namespace

std::vector<RodSector> rod_sectors(const Phantom& phantom) {
  std::vector<RodSector> sectors;
  for (const Body& body : phantom.bodies) {
    if (body.shape != Body::Shape::cylinder || body.value <= 0 || std::abs(body.axes[2].z) < 0.999) continue;
    const double diameter = 2 * body.half.x;
    auto sector = std::ranges::find(sectors, diameter, &RodSector::diameter);
    if (sector == sectors.end()) sector = sectors.insert(sectors.end(), RodSector{diameter, {}, {}, -1e9, 1e9});
    sector->rods.emplace_back(body.center);
    sector->low_z = std::max(sector->low_z, body.center.z - 0.8 * body.half.z);
    sector->high_z = std::min(sector->high_z, body.center.z + 0.8 * body.half.z);
  }
  std::erase_if(sectors, [](const RodSector& s) { return s.rods.size() < fewest; });
  std::ranges::sort(sectors, {}, &RodSector::diameter);
  for (RodSector& s : sectors) s.valleys = middles(s.rods);
  return sectors;
}

std::vector<RodQuality> measure_rods(const Volume& volume, const std::vector<RodSector>& sectors) {
  std::vector<RodQuality> all;
  const double first = volume.grid.first_voxel().z;
  for (const RodSector& s : sectors) {
    double peaks = 0, squares = 0, valleys = 0;
    std::int64_t slices = 0;
    for (std::int64_t k = 0; k < volume.grid.size[2]; ++k) {
      const double z = first + static_cast<double>(k) * volume.grid.spacing.z;
      if (z < s.low_z || z > s.high_z) continue;
      ++slices;
      for (const glm::dvec2& rod : s.rods) {
        const double value = disc_mean(volume, rod, z, 0.5 * s.diameter);
        peaks += value;
        squares += value * value;
      }
      for (const glm::dvec2& valley : s.valleys) valleys += disc_mean(volume, valley, z, 0.5 * s.diameter);
    }
    const double n = static_cast<double>(slices) * static_cast<double>(s.rods.size());
    const double mean = peaks / std::max(1.0, n);
    if (!(mean > 0))
      throw InputError("pet-quality", fmt::format("the rods of {:.3g} mm are empty", s.diameter),
                       "is it an image of this phantom, in its place?");
    const double valley = valleys / (static_cast<double>(slices) * static_cast<double>(s.valleys.size()));
    all.push_back({s.diameter, valley / mean, mean, 100 * std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean});
  }
  return all;
}

}  // namespace backlit
