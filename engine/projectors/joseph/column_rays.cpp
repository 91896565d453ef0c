#include "projectors/joseph/column_rays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/joseph/main_axes.hpp"
#include "projectors/joseph/slice_steps.hpp"

namespace backlit {
namespace {

/// Makes the columns of one view. Coordinates are in voxels: x and y from the grid's middle, z from voxel 0.
class ViewColumns {
 public:
  ViewColumns(const Detector& detector, const View& view, const VolumeGrid& grid)
      : detector_(detector),
        view_(view),
        grid_(grid),
        middle_(0.5 * (grid.lower() + grid.upper())),
        parallel_(view.beam == Beam::parallel) {
    middle_.z = grid.first_voxel().z;
    source_ = (view.source - middle_) / grid.spacing;
  }

  /// `axis`: of the stack; -1: the ray's own main axis.
  ColumnRay column(std::int64_t c, int axis) const {
    const Vec3 pixel =
        (detector_point(detector_, view_, static_cast<double>(c), detector_.middle_row()) - middle_) / grid_.spacing;
    const Vec3 ray = parallel_ ? view_.direction / grid_.spacing : pixel - source_;
    const double across[3] = {ray.x, ray.y, 0};
    const int m = axis < 0 ? main_axis(across) : axis, o = 1 - m;
    const Vec3& from = parallel_ ? pixel : source_;
    const double slope = ray[o] / ray[m], rows = rows_a_voxel() * (parallel_ ? 1 : ray[m]);
    return {static_cast<float>(from[o] - from[m] * slope), static_cast<float>(slope), static_cast<float>(rows),
            static_cast<float>(m)};
  }

  ColumnRayView view(int axis) const {
    ColumnRayView v{};
    v.map = to_float(in_voxels(make_view_map(detector_, view_), middle_, grid_.spacing));
    for (int i = 0; i < 3; ++i) v.a[i] = v.map.a[i < 2 ? i : 3], v.w[i] = v.map.w[i < 2 ? i : 3];
    const double level = parallel_ ? 0 : source_.z, centre = (view_.center.z - middle_.z) / grid_.spacing.z;
    v.row = static_cast<float>(detector_.middle_row() + (level - centre) * rows_a_voxel() -
                               static_cast<double>(detector_.rows / 2));
    v.height = static_cast<float>(level);
    for (int i = 0; i < 2; ++i) v.source[i] = parallel_ ? 0 : static_cast<float>(source_[i]);
    v.steepest = axis < 0 ? 1.001f : static_cast<float>(most_sideways);
    return v;
  }

  /// Rows per voxel along z, at the detector. most_rows(): where the grid comes nearest to the source, which is the
  /// most.
  double rows_a_voxel() const { return grid_.spacing.z / std::abs(view_.v.z); }
  double most_rows() const {
    if (parallel_) return rows_a_voxel();
    // Depth is affine, so its least value over the grid is at a corner.
    const auto [normal, distance] = detector_normal(view_);
    double least = distance;
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 at(corner & 1 ? grid_.upper().x : grid_.lower().x, corner & 2 ? grid_.upper().y : grid_.lower().y, 0);
      least = std::min(least, glm::dot(normal, at - Vec3(view_.source.x, view_.source.y, 0)));
    }
    return least > 0 ? rows_a_voxel() * distance / least : 1e9;
  }

 private:
  const Detector& detector_;
  const View& view_;
  const VolumeGrid& grid_;
  Vec3 middle_, source_;
  bool parallel_;
};

}  // namespace

std::string column_rays_refusal(const Scan& scan, const VolumeGrid& grid, std::span<const int> axes) {
  constexpr double tilted = 1e-9;
  if (source_inside(scan, grid)) return "a source lies within the grid";
  for (std::size_t n = 0; n < scan.views.size(); ++n) {
    const View& view = scan.views[n];
    if (std::hypot(view.v.x, view.v.y) > tilted * std::abs(view.v.z) ||
        std::abs(view.u.z) > tilted * glm::length(view.u) ||
        (view.beam == Beam::parallel && std::abs(view.direction.z) > tilted))
      return fmt::format("the detector of view {} is tilted", n);
    if ((view.v.z < 0) != (scan.views.front().v.z < 0))
      return fmt::format("the rows of view {} run in the direction opposite to those of view 0", n);
    if (axes.empty() ? main_axes(scan.detector, view, grid) & 4u : axes[n] == 2)
      return fmt::format("some rays of view {} run along z", n);
  }
  return {};
}

ColumnRays column_rays(const Scan& scan, const VolumeGrid& grid, std::span<const int> axes) {
  ColumnRays all;
  all.parallel = scan.beam() == Beam::parallel;
  all.flat = scan.detector.shape == Detector::Shape::flat;
  all.rows_run_down = scan.views.front().v.z < 0;
  const std::int64_t width = scan.detector.columns;
  all.views.resize(scan.views.size());
  all.rays.resize(scan.views.size() * static_cast<std::size_t>(width));
  std::vector<double> most_rows(scan.views.size());
  parallel_for(scan.view_count(), [&](std::int64_t n) {
    const auto at = static_cast<std::size_t>(n);
    const int axis = axes.empty() ? -1 : axes[at];
    const ViewColumns columns(scan.detector, scan.views[at], grid);
    most_rows[at] = columns.most_rows();
    ColumnRayView& view = all.views[at] = columns.view(axis);
    ColumnRay* const rays = all.rays.data() + n * width;
    for (std::int64_t c = 0; c < width; ++c) {
      rays[c] = columns.column(c, axis);
      view.axes |= rays[c].axis == 0 ? 1u : 2u;
    }
  });
  for (const double rows : most_rows) all.most_rows = std::max(all.most_rows, rows);
  return all;
}

}  // namespace backlit
