// Exact projections of infinitely long upright cylinders, and a small backprojector in double for FDK of single points.
#pragma once

#include <cmath>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/geometry/types.hpp>
#include "geometry/make_view_map.hpp"

namespace backlit::test {

struct Cylinder {
  double x, y, radius, density;  ///< mm, 1/mm
};

inline double line_integral(const std::vector<Cylinder>& object, const Vec3& point, const Vec3& direction) {
  const double level = std::hypot(direction.x, direction.y);
  double sum = 0;
  for (const Cylinder& c : object) {
    const double s = ((point.x - c.x) * direction.y - (point.y - c.y) * direction.x) / level;
    if (std::abs(s) < c.radius) sum += c.density * 2 * std::sqrt(c.radius * c.radius - s * s) / level;
  }
  return sum;
}

inline Projections project(const Scan& scan, const std::vector<Cylinder>& object) {
  Projections p(scan);
  for (std::int64_t v = 0; v < scan.view_count(); ++v)
    for (std::int64_t r = 0; r < scan.detector.rows; ++r)
      for (std::int64_t c = 0; c < scan.detector.columns; ++c) {
        const View& view = scan.views[static_cast<std::size_t>(v)];
        const auto x = static_cast<double>(c), y = static_cast<double>(r);
        p.at(v, r, c) = static_cast<float>(
            line_integral(object, detector_point(scan.detector, view, x, y), ray_direction(scan.detector, view, x, y)));
      }
  return p;
}

/// FDK of one point from filtered views: sum over views of (R / depth)^2 times the bilinear sample.
inline double backproject(const Projections& filtered, const Vec3& x) {
  double sum = 0;
  for (std::int64_t v = 0; v < filtered.scan.view_count(); ++v) {
    const View& view = filtered.scan.views[static_cast<std::size_t>(v)];
    const auto at = project_point(make_view_map(filtered.scan.detector, view), x.x, x.y, x.z);
    const std::int64_t c = static_cast<std::int64_t>(std::floor(at.column));
    const std::int64_t last = filtered.scan.detector.rows - 1;
    const std::int64_t r = std::min(std::max<std::int64_t>(last - 1, 0), static_cast<std::int64_t>(std::floor(at.row)));
    if (c < 0 || c + 1 >= filtered.scan.detector.columns || r < 0) continue;
    const double fc = at.column - static_cast<double>(c), fr = last > 0 ? at.row - static_cast<double>(r) : 0;
    const auto along = [&](std::int64_t row) {
      return (1 - fc) * filtered.at(v, row, c) + fc * filtered.at(v, row, c + 1);
    };
    const double weight = axis_distance(view) / at.depth;
    sum += weight * weight * ((1 - fr) * along(r) + (fr > 0 ? fr * along(r + 1) : 0));
  }
  return sum;
}

}  // namespace backlit::test
