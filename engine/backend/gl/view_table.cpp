#include "backend/gl/view_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "projector/make_view_map.hpp"

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

ViewRows rows_of(const ViewMap<double>& m, double scale) {
  ViewRows r{};
  for (int i = 0; i < 4; ++i) {
    r.a[i] = static_cast<float>(m.a[i] * scale);
    r.b[i] = static_cast<float>(m.b[i] * scale);
    r.w[i] = static_cast<float>(m.w[i] * scale);
  }
  r.curve[0] = static_cast<float>(m.column0);
  r.curve[1] = static_cast<float>(m.row0);
  r.curve[2] = static_cast<float>(m.columns_per_radian);
  r.curve[3] = static_cast<float>(m.rows_per_mm * m.radius);
  return r;
}

}  // namespace

ViewTable ViewTable::make(const VolumeGrid& grid, const Scan& scan, Weighting weighting) {
  ViewTable table;
  table.parallel = scan.beam() == Beam::parallel;
  table.curved = scan.detector.shape == Detector::Shape::curved;
  std::vector<ViewRows> rows;
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const ViewMap<double> m = in_voxels(make_view_map(scan.detector, scan.views[i]), grid.first_voxel(), grid.spacing);
    if (m.kind == DetectorKind::cylinder)
      throw Unsupported(fmt::format("view {}", i),
                        "the gl backend takes curved detectors only when focused on the source",
                        "use the cpu backend, or a flat detector");
    const double r = weighting == Weighting::fdk ? axis_distance(scan.views[i]) : 1;
    if (!(r > 0))
      throw InputError(fmt::format("view {}", i), "the source lies on the rotation axis or looks away from it",
                       "FDK needs a source that circles the axis");
    // Dividing a, b and w by R leaves the position on the detector as it is and makes (R / depth)^2 the square of 1 /
    // w.
    rows.push_back(rows_of(m, 1 / r));
    if (!table.parallel && least_depth(m.w, grid.size) <= 0) table.source_inside = true;
  }
  table.views = Buffer("views", static_cast<std::int64_t>(rows.size() * sizeof(ViewRows)), rows.data());
  return table;
}

}  // namespace backlit::gl
