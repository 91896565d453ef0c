#include <backlit/geometry/helix.hpp>

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr double turn_tolerance = 0.01;  ///< turns

/// Angles of the views' detectors from view 0's on, in radians, without jumps of whole turns.
std::vector<double> turned_angles(const Scan& scan) {
  const auto angle = [&](std::size_t k) { return std::atan2(-scan.views[k].center.y, -scan.views[k].center.x); };
  std::vector<double> turned{0};
  for (std::size_t i = 1; i < scan.views.size(); ++i)
    turned.push_back(turned.back() + std::remainder(angle(i) - angle(i - 1), 2 * pi));
  return turned;
}

/// The helix, or why there is none.
struct Found {
  Helix helix{};
  std::string problem{};
};

Found find_helix(const Scan& scan) {
  if (scan.beam() != Beam::cone || scan.view_count() < 3)
    return {{}, "this takes cone beams, and at least three views"};
  const std::vector<double> turned = turned_angles(scan);
  const auto last = static_cast<double>(scan.view_count() - 1);
  double lift = 0;
  for (const View& view : scan.views) lift += (view.source.z - view.center.z) / (last + 1);
  const double step = turned.back() / last, first = scan.views.front().center.z;
  const double travel = (scan.views.back().center.z - first) / last, turn = 2 * pi / std::abs(step);
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const View& view = scan.views[i];
    const auto n = static_cast<double>(i);
    const double size = 1e-6 * glm::length(view.source) + turn_tolerance * turn * std::abs(travel);
    if (std::abs(turned[i] - n * step) > turn_tolerance * 2 * pi ||
        std::abs(view.center.z - first - n * travel) > size ||
        std::abs(view.source.z - view.center.z - lift) > 0.01 * glm::length(view.source))
      return {{}, fmt::format("view {} leaves the helix of the others", i)};
  }
  if (turn > last + 1.05) return {{}, "there is less than a turn"};
  const auto views = static_cast<std::int64_t>(std::llround(turn));
  if (std::abs(turn - static_cast<double>(views)) > 0.05) return {{}, fmt::format("a turn has {:.3f} views", turn)};
  return {{views, first + lift, travel}, ""};
}

}  // namespace

bool is_helical(const Scan& scan) {
  if (scan.views.empty() || scan.beam() == Beam::parallel) return false;
  const Vec3 &first = scan.views.front().source, &last = scan.views.back().source;
  return std::abs(last.z - first.z) > 0.02 * std::hypot(first.x, first.y);
}

Helix helix_of(const Scan& scan) {
  Found found = find_helix(scan);
  if (!found.problem.empty())
    throw InputError("helical", found.problem, "use an iterative method, or `method` fdk for circles");
  return found.helix;
}

std::string helix_problem(const Scan& scan) { return find_helix(scan).problem; }

}  // namespace backlit
