#include <backlit/preprocess/rotation_center.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/conjugate_rays.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

/// Parallel: every view is also the mirror image of a view half a turn later. Measured and mirrored views are
/// neighbours on the full circle: everywhere in a full scan, at the seams of a half scan. There each view must equal
/// the interpolation between its neighbours.
class MirroredCircle {
 public:
  explicit MirroredCircle(const Sinogram& s) : s_(s) {
    for (std::int64_t i = 0; i < s.views(); ++i) {
      const double angle = s.angle[static_cast<std::size_t>(i)];
      entries_.push_back({angle, i, false});
      entries_.push_back({wrapped(angle + pi, 2 * pi), i, true});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.angle < b.angle; });
  }

  Agreement operator()(double center, std::int64_t every) const {
    Agreement sum;
    const std::int64_t n = static_cast<std::int64_t>(entries_.size());
    std::int64_t seams = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const Entry &before = at(i + n - 1), &here = at(i), &after = at(i + 1);
      if (here.mirrored == before.mirrored && here.mirrored == after.mirrored) continue;
      const double left = wrapped(here.angle - before.angle, 2 * pi), right = wrapped(after.angle - here.angle, 2 * pi);
      if (left > 1.5 * s_.step || right > 1.5 * s_.step || seams++ % every != 0) continue;
      const double share = left + right > 1e-12 ? left / (left + right) : 0.5;
      for (std::int64_t c = 0; c < s_.columns; ++c) {
        const double mirror = 2 * center - static_cast<double>(c);
        if (!inside(s_, mirror)) continue;
        const auto value = [&](const Entry& e, std::int64_t r) {
          return sample(s_, e.view, r, e.mirrored ? mirror : static_cast<double>(c));
        };
        for (std::int64_t r = 0; r < s_.rows; ++r)
          sum.add(value(here, r), (1 - share) * value(before, r) + share * value(after, r));
      }
    }
    return sum;
  }

 private:
  struct Entry {
    double angle;
    std::int64_t view;
    bool mirrored;
  };
  const Entry& at(std::int64_t i) const {
    return entries_[static_cast<std::size_t>(i % static_cast<std::int64_t>(entries_.size()))];
  }
  const Sinogram& s_;
  std::vector<Entry> entries_;
};

/// The lowest point of the parabola through the candidates beside `least`, in candidates from the first.
double lowest_between(const std::vector<double>& cost, std::ptrdiff_t least) {
  const auto at = [&](std::ptrdiff_t i) { return cost[static_cast<std::size_t>(i)]; };
  if (least == 0 || least + 1 == std::ssize(cost)) return static_cast<double>(least);
  const double bend = at(least - 1) - 2 * at(least) + at(least + 1);
  const double shift = 0.5 * (at(least - 1) - at(least + 1)) / bend;
  return static_cast<double>(least) + (std::abs(shift) <= 0.5 ? shift : 0);  // also where there is no bend
}

/// The place with the smallest relative difference: 0 where rays agree, about 1 where they are independent.
template <class F>
double best(const F& agreement, double from, double step, std::int64_t n, std::int64_t every, std::int64_t least_rays,
            const Watch& watch) {
  constexpr std::int64_t at_once = 32;  // candidates between two checks for a request to stop
  std::vector<double> cost(static_cast<std::size_t>(n), std::numeric_limits<double>::infinity());
  watch.begin("find center", n, "columns");
  for (std::int64_t first = 0; first < n; first += at_once) {
    const std::int64_t count = std::min(at_once, n - first);
    parallel_for(count, [&](std::int64_t k) {
      const Agreement a = agreement(from + step * static_cast<double>(first + k), every);
      if (a.rays >= least_rays && a.square > 0) cost[static_cast<std::size_t>(first + k)] = a.difference / a.square;
    });
    watch.advance(count);
  }
  watch.end();
  const auto least = std::min_element(cost.begin(), cost.end());
  if (!std::isfinite(*least))
    throw InputError("rotation centre", "the scan measured too few rays from both sides to find it", center_remedy);
  return from + step * lowest_between(cost, least - cost.begin());
}

template <class F>
double search(const Sinogram& s, const F& agreement, const Watch& watch) {
  const double middle = 0.5 * static_cast<double>(s.columns - 1);
  const auto reach = static_cast<std::int64_t>(0.45 * static_cast<double>(s.columns));
  const std::int64_t least_rays = s.rows * s.columns / 16;
  const double coarse = best(agreement, middle - static_cast<double>(reach), 1, 2 * reach + 1,
                             std::max<std::int64_t>(1, s.views() / 64), least_rays, watch);
  // A best agreement at the end of the search range is no minimum: beyond the range it would be better.
  if (std::abs(coarse - middle) > static_cast<double>(reach) - 1.5)
    throw InputError(
        "rotation centre",
        fmt::format("it is not within {} columns of the detector's middle, where it was looked for", reach),
        center_remedy);
  return best(agreement, coarse - 1.5, 0.1, 31, std::max<std::int64_t>(1, s.views() / 256), least_rays, watch);
}

double axis_column(const Scan& scan, const View& view) {
  const double z = view.beam == Beam::parallel ? view.center.z : view.source.z;
  return project_point(make_view_map(scan.detector, view), 0.0, 0.0, z).column;
}

}  // namespace

CenterEstimate find_center(ProjectionSource& source, const Watch& watch) {
  source.scan().check("rotation centre");
  if (source.scan().detector.columns < 8)
    throw InputError("rotation centre", "fewer than eight columns", center_remedy);
  const Sinogram s = read_sinogram(source, watch);
  if (s.parallel) return {search(s, MirroredCircle(s), watch), "views against their mirror images half a turn on"};
  return {search(
              s, [&](double center, std::int64_t every) { return conjugates(s, center, every); }, watch),
          "rays against their conjugates in the mid-plane"};
}

double center_of(const Scan& scan) {
  double sum = 0;
  for (const View& view : scan.views) sum += axis_column(scan, view);
  return sum / static_cast<double>(scan.view_count());
}

Scan with_center(const Scan& scan, double center_px) {
  Scan moved = scan;
  const double columns = center_px - center_of(scan);
  for (View& view : moved.views) {
    const DetectorNormal n = detector_normal(view);
    const Detector& d = scan.detector;
    const Vec3 center = detector_point(d, view, d.middle_column() - columns, d.middle_row());
    if (d.shape == Detector::Shape::curved) {  // u stays the tangent
      const double width = glm::length(view.u);
      const double turn = -columns * width / (d.radius > 0 ? d.radius : n.distance);
      view.u = std::cos(turn) * view.u - width * std::sin(turn) * n.normal;
    }
    view.center = center;
  }
  return moved;
}

}  // namespace backlit
