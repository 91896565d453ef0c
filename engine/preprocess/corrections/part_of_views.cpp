#include "preprocess/corrections/part_of_views.hpp"

#include <algorithm>

#include "geometry/rows_seen.hpp"

namespace backlit {

Scan part_of(const Scan& scan, const IndexRange& rows, std::int64_t stride) {
  Scan some{scan.detector, {}};
  for (std::int64_t v = 0; v < scan.view_count(); v += stride)
    some.views.push_back(scan.views[static_cast<std::size_t>(v)]);
  return rows_of_scan(some, rows);
}

Projections part_of(const Projections& p, const IndexRange& rows, std::int64_t stride) {
  Projections part(part_of(p.scan, rows, stride));
  const std::int64_t columns = p.scan.detector.columns;
  for (std::int64_t v = 0; v < part.scan.view_count(); ++v)
    std::ranges::copy(
        p.view(v * stride)
            .subspan(static_cast<std::size_t>(rows.first * columns), static_cast<std::size_t>(rows.count * columns)),
        part.view(v).begin());
  return part;
}

}  // namespace backlit
