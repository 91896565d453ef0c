#include "projectors/joseph/flat_rays.hpp"

#include "geometry/make_view_map.hpp"
#include "projectors/joseph/main_axes.hpp"

namespace backlit {

std::vector<FlatView> flat_views(const Scan& scan, const VolumeGrid& grid) {
  const Vec3 middle = 0.5 * (grid.lower() + grid.upper());
  std::vector<FlatView> views;
  for (const View& view : scan.views) {
    const bool parallel = view.beam == Beam::parallel;
    const ViewMap<double> map = in_voxels(make_view_map(scan.detector, view), middle, grid.spacing);
    const double distance = parallel ? 1 : detector_normal(view).distance;
    const Vec3 source = (parallel ? view.direction : view.source - middle) / grid.spacing;
    FlatView& v = views.emplace_back();
    for (int i = 0; i < 4; ++i) {
      v.a[i] = static_cast<float>(map.a[i] / distance);
      v.b[i] = static_cast<float>(map.b[i] / distance);
      v.w[i] = static_cast<float>(map.w[i] / distance);
    }
    for (int i = 0; i < 3; ++i) {
      v.source[i] = static_cast<float>(source[i]);
      v.column[i] = static_cast<float>(view.u[i] / grid.spacing[i]);
      v.row[i] = static_cast<float>(view.v[i] / grid.spacing[i]);
    }
    v.axes = main_axes(scan.detector, view, grid);
  }
  return views;
}

}  // namespace backlit
