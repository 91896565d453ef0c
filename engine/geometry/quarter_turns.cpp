#include <backlit/geometry/quarter_turns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

constexpr double tolerance = 1e-6;  // radians, and relative for lengths

std::string grid_fault(const VolumeGrid& g) {
  if (g.size[0] != g.size[1])
    return fmt::format("the grid has {} x {} voxels a slice, not a square", g.size[0], g.size[1]);
  if (g.spacing.x != g.spacing.y) return "the voxels' x and y spacing differ";
  if (std::hypot(g.center.x, g.center.y) > tolerance * g.spacing.x) return "the axis is not in the middle of the grid";
  return {};
}

/// A view in its rotating frame. All values except the angle must be the same for all views.
struct LocalView {
  double angle;     // of the source, radians
  double distance;  // source to axis; parallel 0
  double source_z;
  double depth, side, height;  // detector's centre from the source (parallel: from the origin)
  Vec3 u, v;
};

LocalView local_view(const View& view) {
  const bool parallel = view.beam == Beam::parallel;
  const Vec3 from = parallel ? -view.direction : view.source;
  const double angle = std::atan2(from.y, from.x);
  const Vec3 radial(std::cos(angle), std::sin(angle), 0), tangent(-radial.y, radial.x, 0), up(0, 0, 1);
  const auto turned = [&](const Vec3& a) { return Vec3(glm::dot(a, radial), glm::dot(a, tangent), a.z); };
  const Vec3 d = turned(parallel ? view.center : view.center - view.source);
  return {angle, parallel ? 0 : std::hypot(from.x, from.y), from.z, -d.x, d.y, d.z, turned(view.u), turned(view.v)};
}

std::string view_fault(const LocalView& a, const LocalView& first, bool parallel) {
  const double pixel = glm::length(first.u);
  if (std::abs(a.u.x) + std::abs(a.u.z) > tolerance * pixel || std::abs(a.v.x) + std::abs(a.v.y) > tolerance * pixel)
    return "its detector is tilted";
  if (parallel && std::abs(a.source_z) > tolerance) return "its rays leave the plane of rotation";
  const double shift = std::abs(a.side - first.side) + std::abs(a.height - first.height) +
                       std::abs(a.source_z - first.source_z) + (parallel ? 0 : std::abs(a.depth - first.depth));
  if (shift + std::abs(a.distance - first.distance) > tolerance * (pixel + a.distance) ||
      glm::length(a.u - first.u) + glm::length(a.v - first.v) > tolerance * pixel)
    return "its source or detector sits elsewhere than in view 0";
  return {};
}

/// Sorts the views into four quadrants of the source's angle, 45 degrees either side of +x, +y, -x, -y.
std::string group(const std::vector<LocalView>& views, std::vector<QuarterTurns::Group>& groups) {
  std::array<std::vector<std::pair<double, std::int64_t>>, 4> quadrant;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double turned = std::fmod(views[i].angle + pi / 4 + tolerance + 4 * pi, 2 * pi);
    const int q = std::min(3, static_cast<int>(turned / (pi / 2)));
    quadrant[static_cast<std::size_t>(q)].emplace_back(turned - q * pi / 2, static_cast<std::int64_t>(i));
  }
  for (auto& list : quadrant) std::sort(list.begin(), list.end());
  for (std::size_t n = 0; n < quadrant[0].size(); ++n) {
    QuarterTurns::Group g{quadrant[0][n].first - pi / 4 - tolerance, {}};
    for (std::size_t q = 0; q < 4; ++q) {
      if (n >= quadrant[q].size() || std::abs(quadrant[q][n].first - quadrant[0][n].first) > tolerance)
        return fmt::format("view {} has no partner {} degrees on", quadrant[0][n].second, 90 * q);
      g.views[q] = quadrant[q][n].second;
    }
    groups.push_back(g);
  }
  if (4 * groups.size() != views.size()) return fmt::format("{} views do not form quarter-turn groups", views.size());
  return {};
}

}  // namespace

std::vector<std::int64_t> QuarterTurns::order() const {
  std::vector<std::int64_t> views;
  for (const Group& g : groups) views.insert(views.end(), g.views.begin(), g.views.end());
  return views;
}

bool QuarterTurns::in_order() const {
  if (groups.empty()) return false;
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (const std::int64_t view : groups[n].views)
      if (view / 4 != static_cast<std::int64_t>(n)) return false;
  return true;
}

QuarterTurns find_quarter_turns(const Scan& scan, const VolumeGrid& grid) {
  QuarterTurns result;
  result.parallel = scan.beam() == Beam::parallel;
  if (scan.detector.shape != Detector::Shape::flat) result.refusal = "the detector is curved";
  if (result.refusal.empty()) result.refusal = grid_fault(grid);
  std::vector<LocalView> views;
  for (std::size_t i = 0; i < scan.views.size() && result.refusal.empty(); ++i) {
    views.push_back(local_view(scan.views[i]));
    if (const std::string fault = view_fault(views.back(), views.front(), result.parallel); !fault.empty())
      result.refusal = fmt::format("view {}: {}", i, fault);
  }
  if (result.refusal.empty()) result.refusal = group(views, result.groups);
  if (!result.refusal.empty()) {
    result.groups.clear();
    return result;
  }
  const LocalView& first = views.front();
  const double scale = result.parallel ? 1 : first.depth;
  result.distance = first.distance;
  result.source_z = result.parallel ? 0 : first.source_z;
  result.columns = scale / first.u.y;
  result.rows = scale / first.v.z;
  result.column0 = scan.detector.middle_column() - first.side / first.u.y;
  result.row0 = scan.detector.middle_row() - first.height / first.v.z;
  return result;
}

}  // namespace backlit
