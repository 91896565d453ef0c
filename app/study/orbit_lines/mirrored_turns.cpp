#include "study/orbit_lines/mirrored_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

constexpr double same_angle = 2e-6;  // radians: twice the tolerance of the groups

struct TurnedView {
  double angle;  // in [0, 2 pi)
  std::int64_t view;
};

double in_circle(double angle) {
  const double turned = std::fmod(angle, 2 * pi);
  return turned < 0 ? turned + 2 * pi : turned;
}

/// The view at `angle`, or -1. `sorted` by angle.
std::int64_t view_at(const std::vector<TurnedView>& sorted, double angle) {
  const double wanted = in_circle(angle);
  const auto next = std::ranges::lower_bound(sorted, wanted, {}, &TurnedView::angle);
  for (const auto& v :
       {next == sorted.end() ? sorted.front() : *next, next == sorted.begin() ? sorted.back() : next[-1]}) {
    const double apart = std::abs(v.angle - wanted);
    if (std::min(apart, 2 * pi - apart) < same_angle) return v.view;
  }
  return -1;
}

}  // namespace

MirroredTurns find_mirrored_turns(const QuarterTurns& turns) {
  std::vector<TurnedView> sorted;
  for (const auto& g : turns.groups)
    for (int c = 0; c < 4; ++c)
      sorted.push_back({in_circle(g.angle + c * pi / 2), g.views[static_cast<std::size_t>(c)]});
  std::ranges::sort(sorted, {}, &TurnedView::angle);
  MirroredTurns result;
  for (const auto& g : turns.groups) {
    auto& mirrored = result.views.emplace_back();
    for (int c = 0; c < 4; ++c) {
      const auto at = static_cast<std::size_t>(c);
      mirrored[at] = view_at(sorted, -(g.angle + c * pi / 2));
      if (mirrored[at] >= 0) continue;
      result.views.clear();
      result.refusal =
          fmt::format("view {} at {:.6g} degrees has no mirror image at {:.6g}", g.views[at],
                      in_circle(g.angle + c * pi / 2) * 180 / pi, in_circle(-g.angle - c * pi / 2) * 180 / pi);
      return result;
    }
  }
  return result;
}

}  // namespace backlit
