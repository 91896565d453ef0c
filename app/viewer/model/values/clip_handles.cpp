#include "model/values/clip_handles.hpp"

#include <algorithm>
#include <optional>

namespace backlit::viewer {
namespace {

/// How far along an axis through `point` the axis comes nearest to a pixel's ray; nothing where both are parallel.
std::optional<double> along_axis(const CameraRays& rays, const Vec3& point, int axis, double x, double y) {
  const Vec3 origin = rays.ray_origin(x, y), direction = rays.ray_direction(x, y);
  const double slant = direction[axis], steep = 1 - slant * slant;  // squared sine of the angle between both
  if (steep < 0.003) return std::nullopt;
  const Vec3 between = point - origin;
  return (slant * glm::dot(between, direction) - between[axis]) / steep;
}

/// Where a pixel's ray meets the plane through `point` that faces the camera.
std::optional<Vec3> facing(const CameraRays& rays, const Vec3& point, double x, double y) {
  const Vec3 origin = rays.ray_origin(x, y), direction = rays.ray_direction(x, y), normal = rays.middle_direction();
  const double slope = glm::dot(direction, normal);
  if (slope < 1e-6) return std::nullopt;
  return origin + glm::dot(point - origin, normal) / slope * direction;
}

}  // namespace

Vec3 clip_handle(const DisplayState& d, int handle) {
  Vec3 at = 0.5 * (d.crop_low + d.crop_high);
  if (handle == clip_middle) return at;
  const int axis = handle / 2;
  at[axis] = handle % 2 ? d.crop_high[axis] : d.crop_low[axis];
  return at;
}

void drag_clip_handle(DisplayState& d, int handle, const CameraRays& rays, const VolumeGrid& grid, double x, double y) {
  const Vec3 at = clip_handle(d, handle);
  if (handle == clip_middle) {
    const auto to = facing(rays, at, x, y);
    if (!to) return;
    const Vec3 moved = glm::clamp(*to - at, grid.lower() - d.crop_low, glm::max(grid.upper() - d.crop_high, Vec3(0)));
    d.crop_low += moved;
    d.crop_high += moved;
    return;
  }
  const int axis = handle / 2;
  const auto moved = along_axis(rays, at, axis, x, y);
  if (!moved) return;
  const double to = at[axis] + *moved, voxel = grid.spacing[axis];
  if (handle % 2)
    d.crop_high[axis] =
        std::clamp(to, d.crop_low[axis] + voxel, std::max(grid.upper()[axis], d.crop_low[axis] + voxel));
  else
    d.crop_low[axis] =
        std::clamp(to, std::min(grid.lower()[axis], d.crop_high[axis] - voxel), d.crop_high[axis] - voxel);
}

}  // namespace backlit::viewer
