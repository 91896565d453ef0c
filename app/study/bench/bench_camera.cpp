#include "study/bench/bench_camera.hpp"

#include <algorithm>
#include <cmath>

namespace backlit {
namespace {

/// The share of a picture's pixels whose rays meet the grid's box.
double covered(const CameraRays& rays, const VolumeGrid& grid) {
  std::int64_t hits = 0;
  for (std::int64_t y = 0; y < rays.height; ++y)
    for (std::int64_t x = 0; x < rays.width; ++x) {
      const auto sx = static_cast<double>(x), sy = static_cast<double>(y);
      const Vec3 o = rays.ray_origin(sx, sy), d = rays.ray_direction(sx, sy);
      const Vec3 a = (grid.lower() - o) / d, b = (grid.upper() - o) / d;
      const Vec3 near = glm::min(a, b), far = glm::max(a, b);
      hits += std::max({near.x, near.y, near.z}) < std::min({far.x, far.y, far.z});
    }
  return static_cast<double>(hits) / static_cast<double>(rays.width * rays.height);
}

}  // namespace

Turntable camera_filling(const VolumeGrid& grid, double share) {
  Turntable t{.azimuth = -60, .elevation = 20, .fov = 30};
  double low = 0.2, high = 5;
  for (int i = 0; i < 30; ++i) {
    t.zoom = std::sqrt(low * high);
    (covered(camera_rays(t, grid, 200, 200), grid) < share ? low : high) = t.zoom;
  }
  return t;
}

}  // namespace backlit
