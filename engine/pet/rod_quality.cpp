#include <backlit/pet/rod_quality.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/pet/image_quality.hpp>

namespace backlit {
namespace {

constexpr std::size_t fewest = 3;
constexpr double rayleigh = 0.735;  // the dip between two Airy discs that are just resolved

/// The middles between neighbours. Neighbours are pairs whose distance is the smallest, within 5 %.
std::vector<RodValley> valleys_of(const std::vector<glm::dvec2>& rods) {
  double closest = 1e30;
  const auto each_pair = [&](auto&& f) {
    for (std::size_t i = 0; i < rods.size(); ++i)
      for (std::size_t j = i + 1; j < rods.size(); ++j) f(i, j, glm::distance(rods[i], rods[j]));
  };
  each_pair([&](std::size_t, std::size_t, double distance) { closest = std::min(closest, distance); });
  std::vector<RodValley> found;
  each_pair([&](std::size_t i, std::size_t j, double distance) {
    if (distance < 1.05 * closest) found.push_back({0.5 * (rods[i] + rods[j]), i, j});
  });
  return found;
}

/// Starts at each pair of neighbours and continues as long as there is a rod one step farther.
std::vector<std::size_t> longest_row(const std::vector<glm::dvec2>& rods, const std::vector<RodValley>& valleys) {
  std::vector<std::size_t> longest;
  const auto follow = [&](std::size_t first, std::size_t second) {
    const glm::dvec2 step = rods[second] - rods[first];
    std::vector<std::size_t> row{first};
    for (std::size_t next = second; next < rods.size();) {
      row.push_back(next);
      const glm::dvec2 wanted = rods[next] + step;
      next = 0;
      while (next < rods.size() && glm::distance(rods[next], wanted) > 0.05 * glm::length(step)) ++next;
    }
    if (row.size() > longest.size()) longest = row;
  };
  for (const RodValley& v : valleys) {
    follow(v.one, v.other);
    follow(v.other, v.one);
  }
  return longest;
}

void measure_profile(const Volume& volume, const RodSector& s, const std::vector<double>& slices, RodQuality& quality) {
  constexpr int steps_a_diameter = 10;
  const glm::dvec2 first = s.rods[s.row.front()], across = s.rods[s.row.back()] - first;
  const double length = glm::length(across), step = s.diameter / steps_a_diameter;
  for (int i = -steps_a_diameter / 2; i * step <= length + 0.5 * s.diameter + 1e-9; ++i) {
    double sum = 0;
    for (const double z : slices)
      sum += disc_mean(volume, first + i * step / length * across, z, volume.grid.spacing.x);
    quality.profile_mm.push_back(i * step);
    quality.profile.push_back(sum / static_cast<double>(slices.size()) / quality.peak);
  }
}

}  // namespace

std::vector<RodSector> rod_sectors(const Phantom& phantom) {
  std::vector<RodSector> sectors;
  for (const Body& body : phantom.bodies) {
    if (body.shape != Body::Shape::cylinder || body.value <= 0 || std::abs(body.axes[2].z) < 0.999) continue;
    const double diameter = 2 * body.half.x;
    auto sector = std::ranges::find(sectors, diameter, &RodSector::diameter);
    if (sector == sectors.end()) sector = sectors.insert(sectors.end(), RodSector{diameter, {}, {}, {}, -1e9, 1e9});
    sector->rods.emplace_back(body.center);
    sector->low_z = std::max(sector->low_z, body.center.z - 0.8 * body.half.z);
    sector->high_z = std::min(sector->high_z, body.center.z + 0.8 * body.half.z);
  }
  std::erase_if(sectors, [](const RodSector& s) { return s.rods.size() < fewest; });
  std::ranges::sort(sectors, {}, &RodSector::diameter);
  for (RodSector& s : sectors) {
    s.valleys = valleys_of(s.rods);
    s.row = longest_row(s.rods, s.valleys);
  }
  return sectors;
}

std::vector<RodQuality> measure_rods(const Volume& volume, const std::vector<RodSector>& sectors) {
  std::vector<RodQuality> all;
  const double first = volume.grid.first_voxel().z;
  for (const RodSector& s : sectors) {
    double peaks = 0, squares = 0, valleys = 0;
    std::int64_t separated = 0;
    std::vector<double> slices;
    std::vector<double> rods(s.rods.size());
    for (std::int64_t k = 0; k < volume.grid.size[2]; ++k) {
      const double z = first + static_cast<double>(k) * volume.grid.spacing.z;
      if (z < s.low_z || z > s.high_z) continue;
      slices.push_back(z);
      for (std::size_t i = 0; i < rods.size(); ++i) {
        rods[i] = disc_mean(volume, s.rods[i], z, 0.5 * s.diameter);
        peaks += rods[i];
        squares += rods[i] * rods[i];
      }
      for (const RodValley& valley : s.valleys) {
        const double value = disc_mean(volume, valley.at, z, 0.5 * s.diameter);
        valleys += value;
        separated += value < rayleigh * std::min(rods[valley.one], rods[valley.other]);
      }
    }
    const double n = static_cast<double>(slices.size() * s.rods.size());
    const double mean = peaks / std::max(1.0, n);
    if (!(mean > 0))
      throw InputError("pet-quality", fmt::format("the rods of {:.3g} mm are empty", s.diameter),
                       "is it an image of this phantom, in its place?");
    const double pairs = static_cast<double>(slices.size() * s.valleys.size());
    RodQuality quality{.diameter = s.diameter,
                       .valley_to_peak = valleys / pairs / mean,
                       .peak = mean,
                       .spread = 100 * std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean,
                       .separated = 100 * static_cast<double>(separated) / pairs,
                       .profile_mm = {},
                       .profile = {}};
    measure_profile(volume, s, slices, quality);
    all.push_back(std::move(quality));
  }
  return all;
}

}  // namespace backlit
