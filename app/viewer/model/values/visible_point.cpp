#include "model/values/visible_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace backlit::viewer {
namespace {

/// The part of a ray inside the volume, the crop box and the clip planes.
std::array<double, 2> shown_part(bool endless, const VolumeRenderOptions& options, const VolumeGrid& grid,
                                 const Vec3& origin, const Vec3& direction) {
  double from = endless ? -1e30 : 0, to = 1e30;
  const auto keep = [&](const Vec3& normal, double offset) {  // points with dot(normal, x) <= offset
    const double slope = glm::dot(normal, direction), gap = offset - glm::dot(normal, origin);
    if (slope > 0) to = std::min(to, gap / slope);
    if (slope < 0) from = std::max(from, gap / slope);
    if (slope == 0 && gap < 0) to = -1e30;
  };
  const Vec3 low = glm::max(grid.lower(), options.crop_low), high = glm::min(grid.upper(), options.crop_high);
  for (int a = 0; a < 3; ++a) {
    Vec3 axis(0);
    axis[a] = 1;
    keep(axis, high[a]);
    keep(-axis, -low[a]);
  }
  for (const RenderPlane& p : options.clips) keep(p.normal, glm::dot(p.normal, p.point));
  return {from, to};
}

/// Where values first reach `iso`.
std::optional<double> surface(std::span<const float> values, double iso) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double now = static_cast<double>(values[i]);
    if (!(now >= iso)) continue;
    if (i == 0) return 0;
    const double before = static_cast<double>(values[i - 1]);
    return static_cast<double>(i) - (before < iso ? (now - iso) / (now - before) : 0);
  }
  return std::nullopt;
}

/// Where half of the light that is lost along the ray is lost.
std::optional<double> half_light(std::span<const float> values, double apart, const Classifier& classifier) {
  constexpr double faint = 0.02;
  double depth = 0;  // optical
  std::vector<double> lost;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = [&](std::size_t k) { return static_cast<double>(values[std::min(k, values.size() - 1)]); };
    const double slope = std::abs(value(i + 1) - value(i > 0 ? i - 1 : 0)) / (2 * apart);  // for the gradient
    if (std::isfinite(value(i))) depth += classifier.at(value(i), std::isfinite(slope) ? slope : 0).extinction * apart;
    lost.push_back(-std::expm1(-depth));
  }
  if (lost.empty() || lost.back() < faint) return std::nullopt;
  return static_cast<double>(std::ranges::lower_bound(lost, 0.5 * lost.back()) - lost.begin());
}

}  // namespace

std::optional<double> visible_sample(std::span<const float> values, double apart, const VolumeRenderOptions& options,
                                     const Classifier& classifier) {
  if (options.mode == VolumeMode::iso) return surface(values, options.iso);
  if (options.mode == VolumeMode::dvr) return half_light(values, apart, classifier);
  if (options.mode != VolumeMode::mip || values.empty()) return std::nullopt;
  return static_cast<double>(std::ranges::max_element(values) - values.begin());
}

std::optional<Vec3> visible_point(const CameraRays& rays, const VolumeRenderOptions& options,
                                  const Classifier& classifier, const VolumeGrid& grid, double x, double y,
                                  const ValuesAt& values_at) {
  const Vec3 origin = rays.ray_origin(x, y), direction = rays.ray_direction(x, y);
  const auto [from, to] = shown_part(rays.endless, options, grid, origin, direction);
  if (!(from < to)) return std::nullopt;
  constexpr double most = 8192;
  const double step = 0.5 * std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const auto n = static_cast<std::size_t>(std::clamp((to - from) / step, 2.0, most));
  const double apart = (to - from) / static_cast<double>(n);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < n; ++i)
    points.push_back(origin + (from + (static_cast<double>(i) + 0.5) * apart) * direction);
  const auto found = visible_sample(values_at(points), apart, options, classifier);
  if (!found) return std::nullopt;
  return origin + (from + (*found + 0.5) * apart) * direction;
}

}  // namespace backlit::viewer
