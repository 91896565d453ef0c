// Scenes for tests of renderers.
#pragma once

#include <cmath>

#include <backlit/data/volume.hpp>
#include <backlit/render/transfer_function.hpp>

namespace backlit::test {

/// Sets every voxel to `value(x, y, z)` at its centre (world, mm).
template <class F>
Volume sampled(const VolumeGrid& grid, F&& value) {
  Volume v(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        v.at(i, j, k) = static_cast<float>(value(p));
      }
  return v;
}

/// Two smooth blobs in empty space, on an odd anisotropic grid away from the origin.
inline Volume blobs(const Size3& size = {53, 37, 41}, const Vec3& spacing = {1, 1.5, 1.2}) {
  const VolumeGrid grid{size, spacing, {5, -8, 3}};
  const Vec3 extent = grid.upper() - grid.lower();
  const auto blob = [&](const Vec3& p, const Vec3& at, double share) {
    const double r = glm::length((p - grid.center) / extent - at) / share;
    return r < 1 ? (1 - r * r) * (1 - r * r) : 0.0;
  };
  return sampled(grid, [&](const Vec3& p) {
    return blob(p, {0.1, -0.1, 0.05}, 0.36) + 0.6 * blob(p, {-0.25, 0.2, -0.2}, 0.24);
  });
}

/// Red for low values, white for high values; transparent below 0.2.
inline TransferFunction warm() {
  TransferFunction tf;
  tf.depth = 6;
  tf.points = {{0.2, {1, 0, 0}, 0}, {0.5, {1, 0.5, 0}, 0.3}, {0.9, {1, 1, 1}, 0.9}};
  return tf;
}

}  // namespace backlit::test
