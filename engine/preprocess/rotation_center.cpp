#include <backlit/preprocess/rotation_center.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

constexpr const char* remedy = "give the column on which the axis projects with --center PIXELS";

/// The rows that are looked at, of every view, slightly smoothed, in the order of the source's angle.
struct Sinogram {
  std::int64_t columns, rows;
  std::vector<double> angle;               ///< ascending, radians, [0, 2 pi)
  std::vector<std::vector<float>> values;  ///< per view: rows x columns
  double step;                             ///< median gap
  double slope;                            ///< cone: gamma of a column next to the axis; flat: its tangent, signed
  bool parallel, curved;

  std::int64_t views() const { return static_cast<std::int64_t>(angle.size()); }
};

void smooth(std::span<float> row) {
  float before = row.front();
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const float here = row[i];
    row[i] = 0.25f * before + 0.5f * here + 0.25f * row[i + 1];
    before = here;
  }
}

/// Parallel: up to eight rows spread over the detector. Cone: the one in the mid-plane and its neighbours.
std::vector<std::int64_t> chosen_rows(const Scan& scan) {
  const std::int64_t rows = scan.detector.rows;
  std::vector<std::int64_t> chosen;
  if (scan.beam() == Beam::parallel) {
    const std::int64_t n = std::min<std::int64_t>(rows, 8);
    for (std::int64_t i = 0; i < n; ++i) chosen.push_back((2 * i + 1) * rows / (2 * n));
    return chosen;
  }
  const auto middle = static_cast<std::int64_t>(std::lround(midplane(scan.detector, scan.views[0]).row));
  for (std::int64_t r = middle - 1; r <= middle + 1; ++r)
    if (r >= 0 && r < rows) chosen.push_back(r);
  if (chosen.empty())
    throw InputError("rotation centre", "no row of the detector lies in the plane of the source", remedy);
  return chosen;
}

Sinogram read_sinogram(ProjectionSource& source, const Watch& watch) {
  const Scan& scan = source.scan();
  const std::vector<std::int64_t> rows = chosen_rows(scan);
  const View& first = scan.views.front();
  Sinogram s{scan.detector.columns,         static_cast<std::int64_t>(rows.size()),        {}, {}, 0, 0,
             scan.beam() == Beam::parallel, scan.detector.shape == Detector::Shape::curved};
  std::vector<std::pair<double, std::int64_t>> order;
  for (std::int64_t i = 0; i < scan.view_count(); ++i)
    order.emplace_back(midplane(scan.detector, scan.views[static_cast<std::size_t>(i)]).angle, i);
  std::vector<std::vector<float>> read(order.size());
  std::vector<float> image(static_cast<std::size_t>(scan.detector.pixels()));
  const auto columns = static_cast<std::size_t>(s.columns);
  watch.begin("read", scan.view_count(), "views");
  for (std::size_t i = 0; i < read.size(); ++i) {
    source.read(static_cast<std::int64_t>(i), 1, image);
    for (std::int64_t r : rows) {
      const auto begin = image.begin() + static_cast<std::ptrdiff_t>(r * s.columns);
      read[i].insert(read[i].end(), begin, begin + static_cast<std::ptrdiff_t>(s.columns));
      smooth(std::span(read[i]).last(columns));
    }
    watch.advance(1);
  }
  watch.end();
  std::sort(order.begin(), order.end());
  std::vector<double> gaps;
  for (const auto& [angle, view] : order) {
    if (!s.angle.empty() && angle - s.angle.back() > 1e-6) gaps.push_back(angle - s.angle.back());
    s.angle.push_back(angle);
    s.values.push_back(std::move(read[static_cast<std::size_t>(view)]));
  }
  if (gaps.size() < 3) throw InputError("rotation centre", "fewer than five different angles", remedy);
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
  s.step = gaps[gaps.size() / 2];
  const MidplaneView m = midplane(scan.detector, first);
  const double middle = scan.detector.middle_column();
  const double rising =
      ray_offset(scan.detector, first, m, middle + 0.5) - ray_offset(scan.detector, first, m, middle - 0.5);
  if (!s.parallel) s.slope = std::copysign(glm::length(first.u) / detector_normal(first).distance, rising);
  return s;
}

/// Squared differences of rays that should agree, and their squares.
struct Agreement {
  double difference = 0, square = 0;
  std::int64_t rays = 0;
  void add(double a, double b) {
    difference += (a - b) * (a - b);
    square += a * a + b * b;
    ++rays;
  }
};

double sample(const Sinogram& s, std::int64_t view, std::int64_t row, double column) {
  const auto c = std::min(static_cast<std::int64_t>(column), s.columns - 2);
  const float* at = s.values[static_cast<std::size_t>(view)].data() + row * s.columns + c;
  const double f = column - static_cast<double>(c);
  return (1 - f) * at[0] + f * at[1];
}

bool inside(const Sinogram& s, double column) { return column >= 0 && column <= static_cast<double>(s.columns - 1); }

/// The views on either side of an angle and the share of the second; false where nothing was measured nearby.
bool neighbours(const Sinogram& s, double angle, std::int64_t* a, std::int64_t* b, double* share) {
  const double wanted = wrapped(angle, 2 * pi);
  const std::int64_t n = s.views();
  const auto next = std::upper_bound(s.angle.begin(), s.angle.end(), wanted) - s.angle.begin();
  *b = next % n;
  *a = (next + n - 1) % n;
  const double gap = wrapped(s.angle[static_cast<std::size_t>(*b)] - s.angle[static_cast<std::size_t>(*a)], 2 * pi);
  const double into = wrapped(wanted - s.angle[static_cast<std::size_t>(*a)], 2 * pi);
  if (gap <= 3.5 * s.step) {
    *share = gap > 0 ? into / gap : 0;
    return true;
  }
  // At an end of the arc the last view will do when it is as good as there.
  *share = into < 0.5 * gap ? 0 : 1;
  return std::min(into, gap - into) < 1e-2 * s.step;
}

/// Fan and cone: each ray against its conjugate, (angle + pi + 2 gamma, -gamma).
Agreement conjugates(const Sinogram& s, double center, std::int64_t every) {
  Agreement sum;
  for (std::int64_t i = 0; i < s.views(); i += every)
    for (std::int64_t c = 0; c < s.columns; ++c) {
      const double mirror = 2 * center - static_cast<double>(c);
      if (!inside(s, mirror)) continue;
      const double x = s.slope * (static_cast<double>(c) - center);
      const double gamma = s.curved ? x : std::atan(x);
      std::int64_t a, b;
      double share;
      if (!neighbours(s, s.angle[static_cast<std::size_t>(i)] + pi + 2 * gamma, &a, &b, &share)) continue;
      for (std::int64_t r = 0; r < s.rows; ++r)
        sum.add(s.values[static_cast<std::size_t>(i)][static_cast<std::size_t>(r * s.columns + c)],
                (1 - share) * sample(s, a, r, mirror) + share * sample(s, b, r, mirror));
    }
  return sum;
}

/// Parallel: every view also stands for its mirror image half a turn on. Where measured and mirrored views are
/// neighbours on the full circle (everywhere in a full scan, at the seams of a half scan), each must lie between them.
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

/// The candidate with the least relative difference: 0 where rays agree, about 1 where they have nothing in common.
template <class F>
double best(const F& agreement, double from, double step, std::int64_t n, std::int64_t every, std::int64_t least_rays,
            const Watch& watch) {
  constexpr std::int64_t at_once = 32;  // candidates, between two looks at Ctrl-C
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
    throw InputError("rotation centre", "the scan measured too few rays from both sides to find it", remedy);
  return from + step * static_cast<double>(least - cost.begin());
}

template <class F>
double search(const Sinogram& s, const F& agreement, const Watch& watch) {
  const double middle = 0.5 * static_cast<double>(s.columns - 1);
  const auto reach = static_cast<std::int64_t>(0.45 * static_cast<double>(s.columns));
  const std::int64_t least_rays = s.rows * s.columns / 16;
  const double coarse = best(agreement, middle - static_cast<double>(reach), 1, 2 * reach + 1,
                             std::max<std::int64_t>(1, s.views() / 64), least_rays, watch);
  // Views that agree best where the search ends would agree better beyond it.
  if (std::abs(coarse - middle) > static_cast<double>(reach) - 1.5)
    throw InputError(
        "rotation centre",
        fmt::format("it is not within {} columns of the detector's middle, where it was looked for", reach), remedy);
  return best(agreement, coarse - 1.5, 0.1, 31, std::max<std::int64_t>(1, s.views() / 256), least_rays, watch);
}

double axis_column(const Scan& scan, const View& view) {
  const double z = view.beam == Beam::parallel ? view.center.z : view.source.z;
  return project_point(make_view_map(scan.detector, view), 0.0, 0.0, z).column;
}

}  // namespace

CenterEstimate find_center(ProjectionSource& source, const Watch& watch) {
  source.scan().check("rotation centre");
  if (source.scan().detector.columns < 8) throw InputError("rotation centre", "fewer than eight columns", remedy);
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
