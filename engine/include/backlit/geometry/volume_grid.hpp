// Size, spacing and position of a volume's voxels.
#pragma once

#include <backlit/geometry/types.hpp>

namespace backlit {

/// A regular grid of voxels, axes along the world's. Memory order: x fastest, then y, then z.
struct VolumeGrid {
  Size3 size{0, 0, 0};
  Vec3 spacing{1, 1, 1};  ///< mm between voxel centres
  Vec3 center{0, 0, 0};   ///< mm, the middle of the grid

  std::int64_t voxels() const { return count(size); }
  /// mm, the centre of voxel (0,0,0).
  Vec3 first_voxel() const { return center - 0.5 * spacing * Vec3(size[0] - 1, size[1] - 1, size[2] - 1); }
  /// mm, the centre of voxel (i,j,k); fractions allowed.
  Vec3 voxel_center(double i, double j, double k) const { return first_voxel() + spacing * Vec3(i, j, k); }
  /// mm, the two opposite corners of the grid's box.
  Vec3 lower() const { return first_voxel() - 0.5 * spacing; }
  Vec3 upper() const { return lower() + spacing * Vec3(size[0], size[1], size[2]); }

  /// Throws InputError(where) unless sizes are positive, spacings positive and finite, and the count fits memory.
  void check(const char* where) const;

  bool operator==(const VolumeGrid&) const = default;
};

}  // namespace backlit
