#include <backlit/pet/default_grid.hpp>

#include <algorithm>
#include <cmath>

namespace backlit {

VolumeGrid default_pet_grid(const Scanner& scanner) {
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
  VolumeGrid grid;
  grid.size = {voxels(view), voxels(view), voxels(high - low + voxel)};
  grid.spacing = Vec3(voxel);
  grid.center = {0, 0, 0.5 * (low + high)};
  return grid;
}

}  // namespace backlit
