#include "cuda/shared/projected_views.hpp"

#include "geometry/make_view_map.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit::cuda {

ProjectedViews::ProjectedViews(Stream& stream, const VolumeGrid& grid, const Scan& scan, int views_per_block,
                               std::span<const int> axes)
    : stream_(stream), grid_(grid), detector_(scan.detector), views_per_block_(views_per_block) {
  for (auto& table : tables_) table = KeptTable<ProjectedView>(scan.view_count());
  place(scan, axes);
}

void ProjectedViews::place(const Scan& scan, std::span<const int> axes) {
  clipped_ = source_inside(scan, grid_);
  views_.clear();
  for (std::size_t n = 0; n < scan.views.size(); ++n) {
    const View& view = scan.views[n];
    const int axis = axes.empty() ? -1 : axes[n];
    views_.push_back({to_float(make_ray_frame(scan.detector, view, grid_)),
                      to_float(in_voxels(make_view_map(scan.detector, view), grid_.first_voxel(), grid_.spacing)),
                      {},
                      axis < 0 ? main_axes(scan.detector, view, grid_) : 1u << axis,
                      axis});
  }
}

std::vector<ProjectedView> ProjectedViews::of(const SubsetRows& rows) const {
  std::vector<ProjectedView> views;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    views.push_back(views_[static_cast<std::size_t>(rows.row(i))]);
    views.back().slot[0] = rows.slot(i) * detector_.pixels();
  }
  return views;
}

ProjectionTask ProjectedViews::task(float* projections, const std::vector<ProjectedView>& views, std::size_t table) {
  ProjectionTask task{{},
                      static_cast<int>(detector_.columns),
                      static_cast<int>(detector_.rows),
                      static_cast<int>(views.size()),
                      views_per_block_,
                      tables_[table].put(stream_, views),
                      projections,
                      clipped_};
  for (std::size_t i = 0; i < 3; ++i) task.size[i] = static_cast<int>(grid_.size[i]);
  return task;
}

}  // namespace backlit::cuda
