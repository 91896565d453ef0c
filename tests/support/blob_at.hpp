// What an image shows near a point.
#pragma once

#include <utility>

#include <backlit/data/volume.hpp>

namespace backlit::test {

/// Sum of the voxels within 14 mm of a point, and their centre of mass.
inline std::pair<double, Vec3> blob_at(const Volume& image, const Vec3& point) {
  double sum = 0;
  Vec3 moment(0);
  for (std::int64_t k = 0; k < image.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < image.grid.size[1]; ++j)
      for (std::int64_t i = 0; i < image.grid.size[0]; ++i) {
        const Vec3 at = image.grid.voxel_center(double(i), double(j), double(k));
        if (glm::distance(at, point) > 14) continue;
        sum += double(image.at(i, j, k));
        moment += double(image.at(i, j, k)) * at;
      }
  return {sum, moment / sum};
}

}  // namespace backlit::test
