// The voxels of a grid that an array holds, as kernels read them.
#pragma once

#include <backlit/core/hd.hpp>
#include <backlit/device/box.hpp>
#include "projectors/joseph/slice_steps.hpp"

namespace backlit::cuda {

/// Voxels [first, first + size) of the grid, x, y, z.
struct GridPart {
  int first[3], size[3];
};

inline GridPart grid_part(const Box& box) {
  GridPart p{};
  for (std::size_t a = 0; a < 3; ++a) {
    p.first[a] = static_cast<int>(box.first[a]);
    p.size[a] = static_cast<int>(box.size[a]);
  }
  return p;
}

BACKLIT_HD inline VoxelBox box_of(const GridPart& part) {
  VoxelBox box{};
  for (int i = 0; i < 3; ++i) {
    box.lower[i] = part.first[i];
    box.upper[i] = part.first[i] + part.size[i];
    box.size[i] = part.size[i];
  }
  return box;
}

}  // namespace backlit::cuda
