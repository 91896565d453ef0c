#include "render/point_reconstruction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/shared/bilinear.hpp"
#include "projectors/voxel_driven/view_gradient.hpp"

namespace backlit {
namespace {

template <class F>
void for_pixels(const CutPlane& plane, std::span<float> values, F&& value_at) {
  if (values.size() != static_cast<std::size_t>(plane.width * plane.height))
    throw Failure("slice", "the values have another size than the picture");
  parallel_for(plane.height, [&](std::int64_t row) {
    for (std::int64_t column = 0; column < plane.width; ++column)
      values[static_cast<std::size_t>(row * plane.width + column)] =
          static_cast<float>(value_at(plane.point(static_cast<double>(column), static_cast<double>(row))));
  });
}

double trilinear(const Volume& volume, const Vec3& point) {
  const VolumeGrid& g = volume.grid;
  const Vec3 index = (point - g.first_voxel()) / g.spacing;
  std::int64_t low[3], high[3];
  Vec3 share;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t last = g.size[static_cast<std::size_t>(a)] - 1;
    if (!(index[a] >= -0.5 && index[a] <= static_cast<double>(last) + 0.5)) return 0;
    const double inside = std::clamp(index[a], 0.0, static_cast<double>(last));
    low[a] = static_cast<std::int64_t>(inside);
    high[a] = std::min(low[a] + 1, last);
    share[a] = inside - static_cast<double>(low[a]);
  }
  const auto along_x = [&](std::int64_t j, std::int64_t k) {
    const double near = volume.at(low[0], j, k), far = volume.at(high[0], j, k);
    return near + share.x * (far - near);
  };
  const auto along_y = [&](std::int64_t k) {
    const double near = along_x(low[1], k), far = along_x(high[1], k);
    return near + share.y * (far - near);
  };
  const double near = along_y(low[2]), far = along_y(high[2]);
  return near + share.z * (far - near);
}

}  // namespace

PointReconstruction::PointReconstruction(const Scan& scan, std::span<const float> views) : detector_(scan.detector) {
  if (views.size() != static_cast<std::size_t>(scan.view_count() * detector_.pixels()))
    throw Failure("reconstruction", "the views have another size than the scan");
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const double r = axis_distance(scan.views[i]);
    if (!(r > 0))
      throw InputError(fmt::format("view {}", i), "the source lies on the rotation axis or looks away from it",
                       "FDK needs a source that circles the axis");
    views_.push_back(
        {make_view_map(detector_, scan.views[i]), r, views.data() + static_cast<std::int64_t>(i) * detector_.pixels()});
  }
}

double PointReconstruction::value(const Vec3& p) const {
  const PlaneLayout plane = image_plane(detector_.columns, detector_.rows);
  double sum = 0;
  for (const PlacedView& view : views_) {
    DetectorPosition<double> at;
    if (!project_voxel(view.map, p.x, p.y, p.z, at)) continue;
    const double ratio = view.axis_distance / at.depth;
    sum += ratio * ratio * interpolate(view.values, plane, at.column, at.row);
  }
  return sum;
}

PointReconstruction::Sample PointReconstruction::sample(const Vec3& p) const {
  const PlaneLayout plane = image_plane(detector_.columns, detector_.rows);
  Sample sum;
  for (std::size_t n = 0; n < views_.size(); ++n) {
    const PlacedView& view = views_[n];
    if (view.map.kind == DetectorKind::cylinder && !view.map.parallel)
      throw Unsupported(fmt::format("view {}", n),
                        "no gradient for a detector curved about another axis than the source",
                        "resample it to a flat one");
    DetectorPosition<double> at;
    if (!project_voxel(view.map, p.x, p.y, p.z, at)) continue;
    const auto q = [&](double u, double v) { return interpolate(view.values, plane, at.column + u, at.row + v); };
    const double ratio = view.axis_distance / at.depth, weight = ratio * ratio, middle = q(0, 0);
    const double slope_u = 0.5 * (q(1, 0) - q(-1, 0)), slope_v = 0.5 * (q(0, 1) - q(0, -1));
    const auto g = position_gradient(view.map, p.x, p.y, p.z);
    sum.value += weight * middle;
    for (int i = 0; i < 3; ++i)
      sum.gradient[i] += weight * (slope_u * g.column[i] + slope_v * g.row[i] - 2 * middle / at.depth * g.depth[i]);
  }
  return sum;
}

void cut_views(const PointReconstruction& from, const CutPlane& plane, std::span<float> values) {
  for_pixels(plane, values, [&](const Vec3& p) { return from.value(p); });
}

void cut_volume(const Volume& volume, const CutPlane& plane, std::span<float> values) {
  for_pixels(plane, values, [&](const Vec3& p) { return trilinear(volume, p); });
}

}  // namespace backlit
