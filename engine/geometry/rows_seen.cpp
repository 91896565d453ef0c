#include "geometry/rows_seen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/make_view_map.hpp"

namespace backlit {

std::array<Vec3, 8> corners_of(const VolumeGrid& grid, double reach) {
  const Vec3 lower = grid.first_voxel() - reach * grid.spacing,
             upper = grid.voxel_center(static_cast<double>(grid.size[0] - 1), static_cast<double>(grid.size[1] - 1),
                                       static_cast<double>(grid.size[2] - 1)) +
                     reach * grid.spacing;
  std::array<Vec3, 8> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z};
  return all;
}

IndexRange rows_seen(const VolumeGrid& grid, const Scan& scan, double reach) {
  const std::int64_t rows = scan.detector.rows;
  if (scan.detector.shape == Detector::Shape::curved) return {0, rows};
  const std::array<Vec3, 8> box = corners_of(grid, reach);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const View& view : scan.views) {
    const ViewMap<double> map = make_view_map(scan.detector, view);
    for (const Vec3& p : box) {
      const auto at = project_point(map, p.x, p.y, p.z);
      if (!map.parallel && !(at.depth > 0)) return {0, rows};
      low = std::min(low, at.row);
      high = std::max(high, at.row);
    }
  }
  const auto last = static_cast<double>(rows - 1);
  const auto first = static_cast<std::int64_t>(std::clamp(std::floor(low) - 2, 0.0, last)) / 2 * 2;
  const auto end = static_cast<std::int64_t>(std::clamp(std::ceil(high) + 2, static_cast<double>(first), last)) + 1;
  return {first, end - first};
}

Scan rows_of_scan(const Scan& scan, const IndexRange& rows) {
  Scan part = scan;
  if (rows.count == scan.detector.rows) return part;
  part.detector.rows = rows.count;
  const double shift = static_cast<double>(rows.first) + part.detector.middle_row() - scan.detector.middle_row();
  for (View& view : part.views) view.center += shift * view.v;
  return part;
}

}  // namespace backlit
