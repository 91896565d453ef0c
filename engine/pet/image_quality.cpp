#include <backlit/pet/image_quality.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr double nema_margin = 15;  // mm between a background region and anything else
constexpr double slice_step = 10;   // mm between slices of background regions
constexpr std::size_t places = 12;

bool is_ball(const Body& body) {
  return body.shape == Body::Shape::ellipsoid && body.half.x == body.half.y && body.half.y == body.half.z;
}

/// The spheres in the slice of the first ball, small ones first. Their activity is absolute, not yet relative to the
/// background.
std::vector<QualityRegions::Sphere> find_spheres(const Phantom& phantom) {
  std::vector<QualityRegions::Sphere> spheres;
  for (const Body& body : phantom.bodies) {
    if (!is_ball(body)) continue;
    const auto same = std::find_if(spheres.begin(), spheres.end(),
                                   [&](const auto& s) { return glm::distance(s.center, body.center) < 0.5; });
    if (same != spheres.end())
      same->diameter = std::min(same->diameter, 2 * body.half.x);
    else if (spheres.empty() || std::abs(spheres.front().center.z - body.center.z) < 0.5)
      spheres.push_back({body.center, 2 * body.half.x, value_at(phantom, body.center)});
  }
  std::sort(spheres.begin(), spheres.end(), [](const auto& a, const auto& b) { return a.diameter < b.diameter; });
  return spheres;
}

/// The box in x and y that holds all bodies.
std::pair<glm::dvec2, glm::dvec2> bounds(const Phantom& phantom) {
  glm::dvec2 low(1e9), high(-1e9);
  for (const Body& body : phantom.bodies) {
    const double reach = glm::length(body.half);
    low = glm::min(low, glm::dvec2(body.center) - reach);
    high = glm::max(high, glm::dvec2(body.center) + reach);
  }
  return {glm::max(low, glm::dvec2(-1000)), glm::min(high, glm::dvec2(1000))};
}

/// The positive value that fills the largest part of a slice.
double background_value(const Phantom& phantom, double z) {
  const auto [low, high] = bounds(phantom);
  std::map<std::int64_t, std::int64_t> found;  // by value, in millionths
  constexpr int steps = 200;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const glm::dvec2 p = low + (high - low) * glm::dvec2(i + 0.5, j + 0.5) / static_cast<double>(steps);
      if (const double value = value_at(phantom, {p, z}); value > 0) ++found[std::llround(1e6 * value)];
    }
  if (found.empty()) return 0;
  return 1e-6 * static_cast<double>(std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
                                      return a.second < b.second;
                                    })->first);
}

/// Whether all points within `radius` of a place are background, in all slices.
bool is_clear(const Phantom& phantom, const glm::dvec2& place, const std::vector<double>& slices, double radius,
              double value) {
  constexpr int rings = 4, angles = 24;
  for (const double z : slices)
    for (int ring = rings; ring >= 0; --ring)
      for (int i = 0; i < (ring > 0 ? angles : 1); ++i) {
        const double angle = 2 * pi * i / angles, r = radius * ring / rings;
        const Vec3 p(place.x + r * std::cos(angle), place.y + r * std::sin(angle), z);
        if (std::abs(value_at(phantom, p) - value) > 1e-5 * value) return false;
      }
  return true;
}

/// Chooses twelve places by farthest-point sampling, at least `apart` mm from each other. Fewer where there is no room.
std::vector<glm::dvec2> choose_places(const std::vector<glm::dvec2>& candidates, double apart) {
  std::vector<glm::dvec2> chosen;
  if (candidates.empty()) return chosen;
  std::vector<double> nearest(candidates.size(), 1e9);
  std::size_t next = 0;  // the lowest of the leftmost places: the same on every machine
  while (chosen.size() < places) {
    chosen.push_back(candidates[next]);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      nearest[i] = std::min(nearest[i], glm::distance(candidates[i], chosen.back()));
    next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    if (nearest[next] < apart) break;
  }
  return chosen;
}

void place_background(const Phantom& phantom, double value, QualityRegions& regions) {
  const double radius = 0.5 * regions.spheres.back().diameter;
  const auto [low, high] = bounds(phantom);
  for (double margin = nema_margin; margin >= 1; margin -= 2) {
    std::vector<glm::dvec2> candidates;
    for (double x = std::ceil(low.x / 4) * 4; x < high.x; x += 4)
      for (double y = std::ceil(low.y / 4) * 4; y < high.y; y += 4)
        if (is_clear(phantom, {x, y}, regions.background_z, radius + margin, value)) candidates.push_back({x, y});
    regions.background = choose_places(candidates, 2 * radius);
    regions.margin = margin;
    if (regions.background.size() == places) return;
  }
  throw InputError(phantom.name,
                   fmt::format("there is no room for {} background regions of {:.4g} mm", places, 2 * radius),
                   "the phantom needs more background in the slices about its spheres");
}

void find_lung(const Phantom& phantom, QualityRegions& regions) {
  const Body* widest = nullptr;
  for (const Body& body : phantom.bodies)
    if (body.shape == Body::Shape::cylinder && body.value < 0 && body.clips.empty() &&
        std::abs(body.axes[2].z) > 0.999 && (!widest || body.half.x > widest->half.x))
      widest = &body;
  if (!widest || widest->half.x < 10 || std::abs(value_at(phantom, widest->center)) > 1e-9) return;
  regions.has_lung = true;
  regions.lung = widest->center;
  regions.lung_diameter = std::min(30.0, 1.4 * widest->half.x);
  regions.lung_low_z = widest->center.z - widest->half.z;
  regions.lung_high_z = widest->center.z + widest->half.z;
}

struct Spread {
  double mean = 0, deviation = 0;
};

Spread background_of(const Volume& volume, const QualityRegions& regions, double diameter) {
  std::vector<double> means;
  for (const double z : regions.background_z)
    for (const glm::dvec2& place : regions.background) means.push_back(disc_mean(volume, place, z, diameter));
  Spread spread;
  for (const double value : means) spread.mean += value / static_cast<double>(means.size());
  for (const double value : means) spread.deviation += std::pow(value - spread.mean, 2);
  spread.deviation = std::sqrt(spread.deviation / static_cast<double>(means.size() - 1));
  return spread;
}

}  // namespace

double disc_mean(const Volume& volume, const glm::dvec2& center, double z, double diameter) {
  const VolumeGrid& grid = volume.grid;
  const Vec3 first = grid.first_voxel();
  const std::int64_t k = std::llround((z - first.z) / grid.spacing.z);
  const double radius = 0.5 * diameter, step = std::min({0.2 * grid.spacing.x, 0.2 * grid.spacing.y, 0.1 * diameter});
  const glm::dvec2 low = (center - radius - glm::dvec2(first)) / glm::dvec2(grid.spacing),
                   high = (center + radius - glm::dvec2(first)) / glm::dvec2(grid.spacing);
  if (k < 0 || k >= grid.size[2] || low.x < -0.5 || low.y < -0.5 || high.x > static_cast<double>(grid.size[0]) - 0.5 ||
      high.y > static_cast<double>(grid.size[1]) - 0.5)
    throw InputError("pet-quality",
                     fmt::format("the region at {:.4g}, {:.4g}, {:.4g} mm leaves the image", center.x, center.y, z),
                     "is it an image of this phantom, in its place?");
  double sum = 0;
  std::int64_t count = 0;
  const auto steps = static_cast<std::int64_t>(std::ceil(radius / step));
  for (std::int64_t j = -steps; j <= steps; ++j)
    for (std::int64_t i = -steps; i <= steps; ++i) {
      const glm::dvec2 off = step * glm::dvec2(static_cast<double>(i), static_cast<double>(j));
      if (glm::dot(off, off) > radius * radius) continue;
      const glm::dvec2 at = (center + off - glm::dvec2(first)) / glm::dvec2(grid.spacing);
      sum += static_cast<double>(volume.at(std::clamp<std::int64_t>(std::llround(at.x), 0, grid.size[0] - 1),
                                           std::clamp<std::int64_t>(std::llround(at.y), 0, grid.size[1] - 1), k));
      ++count;
    }
  return sum / static_cast<double>(count);
}

QualityRegions quality_regions(const Phantom& phantom) {
  QualityRegions regions;
  regions.spheres = find_spheres(phantom);
  if (regions.spheres.empty())
    throw InputError(phantom.name, "has no spheres", "give the phantom of activity, with spheres in one slice");
  const double z = regions.spheres.front().center.z;
  for (int i = -2; i <= 2; ++i) regions.background_z.push_back(z + slice_step * i);
  const double background = background_value(phantom, z);
  for (auto& sphere : regions.spheres) sphere.activity /= background;
  place_background(phantom, background, regions);
  find_lung(phantom, regions);
  return regions;
}

ImageQuality measure_quality(const Volume& volume, const QualityRegions& regions) {
  ImageQuality quality;
  for (const auto& sphere : regions.spheres) {
    const Spread around = background_of(volume, regions, sphere.diameter);
    if (!(around.mean > 0))
      throw InputError("pet-quality", fmt::format("the background's mean is {:.4g}", around.mean),
                       "is it an image of this phantom?");
    const double inside = disc_mean(volume, sphere.center, sphere.center.z, sphere.diameter) / around.mean;
    const double contrast =
        sphere.activity > 1 ? (inside - 1) / (sphere.activity - 1) : (1 - inside) / (1 - sphere.activity);
    quality.spheres.push_back({sphere.diameter, 100 * contrast, 100 * around.deviation / around.mean});
    quality.background = around.mean;
  }
  if (!regions.has_lung) return quality;
  const Vec3 first = volume.grid.first_voxel();
  double sum = 0;
  int slices = 0;
  for (std::int64_t k = 0; k < volume.grid.size[2]; ++k) {
    const double z = first.z + static_cast<double>(k) * volume.grid.spacing.z;
    if (z < regions.lung_low_z + slice_step || z > regions.lung_high_z - slice_step) continue;
    sum += disc_mean(volume, regions.lung, z, regions.lung_diameter);
    ++slices;
  }
  if (slices > 0) quality.lung_residual = 100 * sum / slices / quality.background;
  return quality;
}

}  // namespace backlit
