#include "model/values/nearest_edge.hpp"

#include <algorithm>
#include <cmath>

namespace backlit::viewer {
namespace {

/// The place of the largest of three evenly spaced values about the middle one, by a parabola: -0.5 to 0.5.
double vertex(double before, double middle, double after) {
  const double bend = before - 2 * middle + after;
  return bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
}

/// Moves a point along the direction in which values rise to where they do so most.
Vec3 refined(const Vec3& at, const Vec3& along, double apart, const ValuesAt& values_at) {
  constexpr int half = 4;  // points on either side, half an `apart` from each other
  const double step = 0.5 * apart;
  std::vector<Vec3> points;
  for (int i = -half; i <= half; ++i) points.push_back(at + i * step * along);
  const std::vector<float> f = values_at(points);
  std::vector<double> slope;
  for (std::size_t i = 1; i + 1 < f.size(); ++i) slope.push_back(std::abs(static_cast<double>(f[i + 1] - f[i - 1])));
  const auto top = static_cast<std::size_t>(std::ranges::max_element(slope) - slope.begin());
  if (top == 0 || top + 1 == slope.size() || !std::isfinite(slope[top])) return at;
  const double place = static_cast<double>(top) + vertex(slope[top - 1], slope[top], slope[top + 1]);
  return at + (place + 1 - half) * step * along;
}

}  // namespace

std::optional<Vec3> nearest_edge(const CutPlane& plane, const Vec3& at, double reach, double apart, double least,
                                 const ValuesAt& values_at) {
  const auto n = static_cast<int>(std::clamp(std::ceil(reach / apart), 2.0, 24.0));
  apart = reach / n;
  const int side = 2 * n + 3;  // a sample more on each side, for differences
  std::vector<Vec3> points;
  for (int j = -n - 1; j <= n + 1; ++j)
    for (int i = -n - 1; i <= n + 1; ++i) points.push_back(at + i * apart * plane.right + j * apart * plane.up);
  const std::vector<float> values = values_at(points);
  const auto value = [&](int i, int j) {
    return static_cast<double>(values[static_cast<std::size_t>((j + n + 1) * side + i + n + 1)]);
  };
  double best = 0;
  Vec3 found = at, rises(0);
  for (int j = -n; j <= n; ++j)
    for (int i = -n; i <= n; ++i) {
      const double away = std::hypot(i, j) / n;
      if (away > 1) continue;
      const glm::dvec2 slope =
          glm::dvec2(value(i + 1, j) - value(i - 1, j), value(i, j + 1) - value(i, j - 1)) / (2 * apart);
      const double size = glm::length(slope), weighed = size * (1 - 0.5 * away * away);
      if (!(size >= least) || !(weighed > best)) continue;
      best = weighed;
      found = at + i * apart * plane.right + j * apart * plane.up;
      rises = glm::normalize(slope.x * plane.right + slope.y * plane.up);
    }
  if (best <= 0) return std::nullopt;
  return refined(found, rises, apart, values_at);
}

}  // namespace backlit::viewer
