#include "preprocess/filter/widening.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/make_view_map.hpp"
#include "preprocess/filter/widened_scan.hpp"

namespace backlit {
namespace {

/// Widths are multiples of this, so that arrays can be reused while a detector is moved.
constexpr std::int64_t step = 8;

/// Columns that a displaced detector lacks on its short side to be symmetric about the axis; negative: on the left.
std::int64_t missing_columns(const Scan& scan) {
  double lack = 0;
  for (const View& view : scan.views) {
    const double height = view.beam == Beam::parallel ? view.center.z : view.source.z;
    const double axis = project_point(make_view_map(scan.detector, view), 0.0, 0.0, height).column;
    const double here = 2 * (axis - scan.detector.middle_column());
    if (std::abs(here) > std::abs(lack)) lack = here;
  }
  return static_cast<std::int64_t>(lack < 0 ? std::floor(lack) : std::ceil(lack));
}

}  // namespace

Widening::Widening(const Scan& scan, const FilterOptions& asked)
    : options(asked), wide(scan), weights(fdk_weights(scan, asked)) {
  if (!weights.scheme.starts_with("offset detector")) return;
  const std::int64_t lack = missing_columns(asked.whole ? *asked.whole : scan);
  const std::int64_t added = (std::abs(lack) + step - 1) / step * step;
  (lack < 0 ? left : right) = added;
  wide = widened(scan, left, right);
  if (asked.whole) options.whole = std::make_shared<const Scan>(widened(*asked.whole, left, right));
  options.redundancy = Redundancy::none;  // which counts every ray as 1/2: hence the 2 in weight()
}

float Widening::weight(std::int64_t view, std::int64_t column) const {
  const auto& rows = weights.ray;
  return 2 * rows[rows.size() == 1 ? 0 : static_cast<std::size_t>(view)][static_cast<std::size_t>(column)];
}

}  // namespace backlit
