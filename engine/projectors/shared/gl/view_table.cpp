#include "projectors/shared/gl/view_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"

namespace backlit::gl {
namespace {

struct ViewRows {
  float a[4], b[4], w[4], curve[4];
};

/// The smallest w over the grid: w is affine, so it is found at a corner.
double least_depth(const double (&w)[4], const Size3& size) {
  double least = w[3];
  for (int i = 0; i < 3; ++i) least += std::min(0.0, w[i] * static_cast<double>(size[static_cast<std::size_t>(i)] - 1));
  return least;
}

/// The same map, to fractions of the detector in place of pixels.
ViewMap<double> in_fractions(const ViewMap<double>& map, const Detector& d) {
  const double columns = static_cast<double>(d.columns), rows = static_cast<double>(d.rows);
  ViewMap<double> m = map;
  if (d.shape == Detector::Shape::flat)
    for (int i = 0; i < 4; ++i) {
      m.a[i] = (m.a[i] + 0.5 * m.w[i]) / columns;
      m.b[i] = (m.b[i] + 0.5 * m.w[i]) / rows;
    }
  m.column0 = (m.column0 + 0.5) / columns;
  m.row0 = (m.row0 + 0.5) / rows;
  m.columns_per_radian /= columns;
  m.rows_per_mm /= rows;
  return m;
}

/// Dividing a, b and w by R does not change the position on the detector, and makes (R / depth)^2 the square of 1 / w.
ViewRows rows_of(const ViewMap<double>& m, double r) {
  ViewRows rows{};
  for (int i = 0; i < 4; ++i) {
    rows.a[i] = static_cast<float>(m.a[i] / r);
    rows.b[i] = static_cast<float>(m.b[i] / r);
    rows.w[i] = static_cast<float>(m.w[i] / r);
  }
  rows.curve[0] = static_cast<float>(m.column0);
  rows.curve[1] = static_cast<float>(m.row0);
  rows.curve[2] = static_cast<float>(m.columns_per_radian);
  rows.curve[3] = static_cast<float>(m.rows_per_mm * m.radius);
  return rows;
}

/// The map of view `i` from voxel indices.
ViewMap<double> focused_map(const VolumeGrid& grid, const Scan& scan, std::size_t i) {
  const ViewMap<double> m = in_voxels(make_view_map(scan.detector, scan.views[i]), grid.first_voxel(), grid.spacing);
  if (m.kind == DetectorKind::cylinder)
    throw Unsupported(fmt::format("view {}", i),
                      "the gl backend takes curved detectors only when focused on the source",
                      "use the cpu backend, or a flat detector");
  return m;
}

}  // namespace

void require_textures(const Context& context, const VolumeGrid& grid, const Scan& scan) {
  const std::int64_t most = context.limits().texture_size;
  const Detector& d = scan.detector;
  if (std::max({grid.size[0], grid.size[1], d.columns, d.rows}) > most)
    throw Unsupported(
        "volume",
        fmt::format("slices of {} x {} voxels or views of {} x {} pixels are larger than a texture, {} a side",
                    grid.size[0], grid.size[1], d.columns, d.rows, most),
        "use a smaller `grid`, or `backend` cpu");
  if (d.shape == Detector::Shape::curved)
    for (std::size_t i = 0; i < scan.views.size(); ++i) focused_map(grid, scan, i);
}

Choices ViewTable::choices(bool parallel, bool curved, bool source_inside) {
  return {parallel ? "shared/beam/parallel.glsl"
          : curved ? "shared/beam/curved.glsl"
                   : "shared/beam/cone.glsl",
          source_inside ? "shared/source/inside.glsl" : "shared/source/outside.glsl"};
}

ViewTable ViewTable::make(const VolumeGrid& grid, const Scan& scan, Weighting weighting, PositionUnit unit) {
  ViewTable table;
  table.parallel = scan.beam() == Beam::parallel;
  table.curved = scan.detector.shape == Detector::Shape::curved;
  std::vector<ViewRows> rows;
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const ViewMap<double> m = focused_map(grid, scan, i);
    const double r = weighting == Weighting::fdk ? axis_distance(scan.views[i]) : 1;
    if (!(r > 0))
      throw InputError(fmt::format("view {}", i), "the source lies on the rotation axis or looks away from it",
                       "FDK needs a source that circles the axis");
    rows.push_back(rows_of(unit == PositionUnit::fraction ? in_fractions(m, scan.detector) : m, r));
    if (!table.parallel && least_depth(m.w, grid.size) <= 0) table.source_inside = true;
  }
  table.views = Buffer("views", static_cast<std::int64_t>(rows.size() * sizeof(ViewRows)), rows.data());
  return table;
}

}  // namespace backlit::gl
