#include "projectors/shared/gl/ray_table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/make_view_map.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit::gl {
namespace {

/// A number of a ray as factors of (side, up, back, 1): steps from the detector's middle in columns, rows and columns.
using Row = std::array<double, 4>;

Row combine(double s, const Row& x, double t, const Row& y) {
  Row r;
  for (std::size_t i = 0; i < 4; ++i) r[i] = s * x[i] + t * y[i];
  return r;
}

struct RayRows {
  float step_u[4], step_v[4], step_main[4], at_u[4], at_v[4], more[4];
};

void store(const Row& row, float (&out)[4]) {
  std::ranges::transform(row, out, [](double x) { return float(x); });
}

/// A view's pixels, directions and source, in voxel indices from the middle of the grid.
struct IndexFrame {
  std::array<Row, 3> pixel, direction;
  double source[3];
  bool parallel;

  IndexFrame(const RayFrame<double>& f, const VolumeGrid& grid) : parallel(f.parallel != 0) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int c = static_cast<int>(i);
      const double middle = 0.5 * static_cast<double>(grid.size[i] - 1), scale = f.per_mm[i];
      const double vector = f.source[c] * scale;  // parallel: a direction
      pixel[i] = {f.u[c] * scale, f.v[c] * scale, -f.width * f.normal[c] * scale, f.center[c] * scale - middle};
      source[i] = vector - middle;
      direction[i] = parallel ? Row{0, 0, 0, vector} : combine(1, pixel[i], -source[i], Row{0, 0, 0, 1});
    }
  }

  /// The coordinate along `axis` where the ray meets the middle slice perpendicular to `main`, times the ray's step
  /// along `main`. This is a component of the ray's moment; large numbers do not cancel, so single precision suffices.
  Row at(std::size_t axis, std::size_t main) const {
    if (!parallel) return combine(source[axis], direction[main], -source[main], direction[axis]);
    return combine(direction[main][3], pixel[axis], -direction[axis][3], pixel[main]);
  }
};

/// The least depth within reach of a slice's samples and slab.
double least_depth(const ViewMap<double>& map, const VolumeGrid& grid) {
  constexpr double reach = 1.5;
  double least = map.w[3];
  for (std::size_t i = 0; i < 3; ++i)
    least += std::min(-reach * map.w[i], (static_cast<double>(grid.size[i] - 1) + reach) * map.w[i]);
  return least;
}

}  // namespace

RayTable RayTable::make(const VolumeGrid& grid, const Scan& scan, StackChoice choice) {
  RayTable table;
  std::vector<int> of_views;
  if (choice == StackChoice::view) of_views = backlit::view_axes(scan, grid);
  table.views = scan.view_count();
  std::vector<RayRows> rows(static_cast<std::size_t>(3 * table.views));
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const RayFrame<double> frame = make_ray_frame(scan.detector, scan.views[i], grid);
    const IndexFrame f(frame, grid);
    const unsigned axes = of_views.empty() ? main_axes(scan.detector, scan.views[i], grid) : 1u << of_views[i];
    table.view_axes.push_back(axes);
    for (std::size_t m = 0; m < 3; ++m) {
      const std::size_t u = m == 0 ? 1 : 0, v = m == 2 ? 1 : 2;
      RayRows& r = rows[m * scan.views.size() + i];
      store(f.direction[u], r.step_u);
      store(f.direction[v], r.step_v);
      store(f.direction[m], r.step_main);
      store(f.at(u, m), r.at_u);
      store(f.at(v, m), r.at_v);
      const bool used = (axes >> m & 1u) != 0;
      store({used ? 1.0 : 0.0, f.source[m], frame.radius / frame.width, 0}, r.more);
      if (used) table.axes[m] = true;
    }
    if (f.parallel) continue;
    const auto map = in_voxels(make_view_map(scan.detector, scan.views[i]), grid.first_voxel(), grid.spacing);
    if (least_depth(map, grid) <= 0) table.source_inside = true;
  }
  table.rays = Buffer("rays", static_cast<std::int64_t>(rows.size() * sizeof(RayRows)), rows.data());
  return table;
}

}  // namespace backlit::gl
