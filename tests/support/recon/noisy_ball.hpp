// A ball of 1 in 0, 31 x 25 x 23 voxels, with noise of this standard deviation.
#pragma once

#include <random>

#include <backlit/data/volume.hpp>

namespace backlit::test {

inline Volume noisy_ball(float noise) {
  Volume v(VolumeGrid{{31, 25, 23}, Vec3(1, 1.2, 0.9)});
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 1);
  for (std::int64_t k = 0; k < 23; ++k)
    for (std::int64_t j = 0; j < 25; ++j)
      for (std::int64_t i = 0; i < 31; ++i) {
        const Vec3 p = v.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        v.at(i, j, k) = (glm::length(p) < 8 ? 1.0f : 0.0f) + noise * normal(random);
      }
  return v;
}

}  // namespace backlit::test
