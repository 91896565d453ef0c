#include <backlit/pet/default_grid.hpp>

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

struct Box {
  Vec3 low{1e30}, high{-1e30};
};

/// The box about a cylinder along z that goes to other places.
Box box_of(double radius, double low, double high, std::span<const ScannerPlace> places) {
  Box box;
  for (const ScannerPlace& place : places)
    for (const ScannerPlace::Part& part : place.parts) {
      const Vec3 axis = part.moved.turn * Vec3(0, 0, 1);
      const Vec3 reach = radius * glm::sqrt(glm::max(Vec3(0), 1.0 - axis * axis));
      for (const double z : {low, high}) {
        const Vec3 end = part.moved(Vec3(0, 0, z));
        box.low = glm::min(box.low, end - reach);
        box.high = glm::max(box.high, end + reach);
      }
    }
  return box;
}

}  // namespace

VolumeGrid default_pet_grid(const Scanner& scanner, std::span<const ScannerPlace> places) {
  double radius = 1e9, low = 1e9, high = -1e9;
  for (const Vec3f& p : scanner.position) {
    radius = std::min(radius, static_cast<double>(std::hypot(p.x, p.y)));
    low = std::min(low, static_cast<double>(p.z));
    high = std::max(high, static_cast<double>(p.z));
  }
  const double closest = radius * std::cos(0.5 * scanner.coincidence.min_angle_deg * radians_per_degree);
  const double view = 2 * (scanner.coincidence.min_angle_deg > 0 ? closest : 0.7 * radius);
  double voxel = scanner.crystal_mm.y;
  if (!(voxel > 0)) voxel = std::max(view / 256, (high - low) / 64);
  const auto voxels = [&](double length) {
    return std::max<std::int64_t>(1, std::llround(std::ceil(length / voxel - 1e-6)));
  };
  const ScannerPlace own;
  const Box box = box_of(0.5 * view, low - 0.5 * voxel, high + 0.5 * voxel,
                         places.empty() ? std::span<const ScannerPlace>(&own, 1) : places);
  VolumeGrid grid;
  for (int axis = 0; axis < 3; ++axis)
    grid.size[static_cast<std::size_t>(axis)] = voxels(box.high[axis] - box.low[axis]);
  grid.spacing = Vec3(voxel);
  grid.center = 0.5 * (box.low + box.high);
  return grid;
}

}  // namespace backlit
