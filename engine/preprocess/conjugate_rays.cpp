#include "preprocess/conjugate_rays.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

void smooth(std::span<float> row) {
  float before = row.front();
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const float here = row[i];
    row[i] = 0.25f * before + 0.5f * here + 0.25f * row[i + 1];
    before = here;
  }
}

/// Parallel: up to eight rows spread over the detector. Cone: the row in the mid-plane and its neighbours.
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
    throw InputError("rotation centre", "no row of the detector lies in the plane of the source", center_remedy);
  return chosen;
}

/// The views on both sides of an angle, and the share of the second. False where no view is near.
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
  // At an end of the arc the last view is used when the angle is almost the same.
  *share = into < 0.5 * gap ? 0 : 1;
  return std::min(into, gap - into) < 1e-2 * s.step;
}

}  // namespace

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
  if (gaps.size() < 3) throw InputError("rotation centre", "fewer than five different angles", center_remedy);
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
  s.step = gaps[gaps.size() / 2];
  const MidplaneView m = midplane(scan.detector, first);
  const double middle = scan.detector.middle_column();
  const double rising =
      ray_offset(scan.detector, first, m, middle + 0.5) - ray_offset(scan.detector, first, m, middle - 0.5);
  if (!s.parallel) s.slope = std::copysign(glm::length(first.u) / detector_normal(first).distance, rising);
  return s;
}

double sample(const Sinogram& s, std::int64_t view, std::int64_t row, double column) {
  const auto c = std::min(static_cast<std::int64_t>(column), s.columns - 2);
  const float* at = s.values[static_cast<std::size_t>(view)].data() + row * s.columns + c;
  const double f = column - static_cast<double>(c);
  return (1 - f) * at[0] + f * at[1];
}

bool inside(const Sinogram& s, double column) { return column >= 0 && column <= static_cast<double>(s.columns - 1); }

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

}  // namespace backlit
