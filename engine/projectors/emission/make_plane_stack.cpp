#include "projectors/emission/make_plane_stack.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/make_view_map.hpp"
#include "projectors/joseph/slice_steps.hpp"

namespace backlit {
namespace {

/// Least and greatest value of an affine function over the grid's voxels and `beyond` voxels more on each side.
std::pair<double, double> range_over(const double (&f)[4], const VolumeGrid& grid, double beyond) {
  double low = f[3], high = f[3];
  for (int i = 0; i < 3; ++i) {
    const double a = -beyond * f[i],
                 b = (static_cast<double>(grid.size[static_cast<std::size_t>(i)] - 1) + beyond) * f[i];
    low += std::min(a, b);
    high += std::max(a, b);
  }
  return {low, high};
}

/// The members that do not depend on the direction of the planes.
PlaneStack common(const Detector& detector, const View& view, const VolumeGrid& grid, double face_mm) {
  PlaneStack p{};
  const auto [normal, distance] = detector_normal(view);
  const Vec3 first = grid.first_voxel();
  double along[4];  // a voxel's coordinate along the normal
  for (int i = 0; i < 3; ++i) along[i] = normal[i] * grid.spacing[i];
  along[3] = glm::dot(normal, first);
  const double grid_end = range_over(along, grid, 0.5).second;
  const double asked = glm::dot(normal, face_mm > 0 ? grid.center + face_mm * normal : view.center);
  const double face = std::max(asked, grid_end);
  for (int i = 0; i < 4; ++i) p.distance[i] = -along[i];
  p.distance[3] += face;
  p.front = face - grid_end;
  const bool parallel = view.beam == Beam::parallel;
  p.front_depth = parallel ? 1 : grid_end - glm::dot(normal, view.source);
  const ViewMap<double> map = in_voxels(make_view_map(detector, view), first, grid.spacing);
  for (int i = 0; i < 4; ++i) p.depth[i] = parallel ? (i == 3 ? 1.0 : 0.0) : map.w[i];
  p.pixels[0] = (parallel ? 1 : distance) / glm::length(view.u);
  p.pixels[1] = (parallel ? 1 : distance) / glm::length(view.v);
  return p;
}

/// Direction from source to detector, through the detector's middle.
Vec3 middle_ray(const Detector& d, const View& view) {
  return ray_direction(d, view, d.middle_column(), d.middle_row());
}

}  // namespace

double unit_length(const VolumeGrid& grid) { return std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}); }

int main_axis(const Detector& detector, const View& view, const VolumeGrid& grid) {
  const Vec3 ray = middle_ray(detector, view) / grid.spacing;
  return main_axis({ray.x, ray.y, ray.z});
}

PlaneStack axis_planes(const Detector& detector, const View& view, const VolumeGrid& grid, double face_mm) {
  PlaneStack p = common(detector, view, grid, face_mm);
  const int axis = main_axis(detector, view, grid);
  const bool upwards = middle_ray(detector, view)[axis] > 0;
  p.normal[axis] = 1;
  p.count = grid.size[static_cast<std::size_t>(axis)];
  p.first = upwards ? static_cast<double>(p.count - 1) : 0;
  p.step = upwards ? -1 : 1;
  p.thickness = grid.spacing[axis];
  return p;
}

PlaneStack facing_planes(const Detector& detector, const View& view, const VolumeGrid& grid, double face_mm) {
  PlaneStack p = common(detector, view, grid, face_mm);
  p.thickness = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const auto [near, far] = range_over(p.distance, grid, 1);
  for (int i = 0; i < 3; ++i) p.normal[i] = p.distance[i];
  p.step = p.thickness;
  p.count = static_cast<std::int64_t>(std::ceil((far - near) / p.step));
  p.first = near + p.step / 2 - p.distance[3];
  return p;
}

}  // namespace backlit
