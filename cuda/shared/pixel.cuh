// The pixel of a thread in a ray-driven kernel.
#pragma once

#include "cuda/joseph/kernels.hpp"
#include "cuda/voxel_driven/device.cuh"

namespace backlit::cuda {

struct Pixel {
  int column, row;
};

/// Blocks of 32 n threads as tiles in Morton order; false beside the detector.
__device__ inline bool pixel_of_thread(const ProjectionTask& t, Pixel& p) {
  const TilePlace place = tile_place();
  p = {static_cast<int>(blockIdx.x) * tile_width + place.x,
       static_cast<int>(blockIdx.y * (blockDim.x / tile_width)) + place.y};
  return p.column < t.columns && p.row < t.rows;
}

__device__ inline float* pixel_at(const ProjectionTask& t, const ProjectedView& view, const Pixel& p, int image = 0) {
  return t.projections + view.slot[image] + std::int64_t{p.row} * t.columns + p.column;
}

}  // namespace backlit::cuda
