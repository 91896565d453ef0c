#include <cstdint>

#include "backproject/device.cuh"
#include "backproject/kernels.hpp"

namespace backlit::cuda {
namespace {

__global__ void exact(const float* __restrict__ projections, __grid_constant__ const ExactViews views, bool weighted,
                      __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  if (i >= slab.nx || j >= slab.ny) return;
  const MiddlePlane image = middle_plane(views);
  float sum = 0;
  for (int n = 0; n < views.count; ++n) {
    const ExactView& view = views.view[n];
    const auto at = position_of(views, view, i, j, slab.z0 + k);
    if (!(at.depth > 0)) continue;
    const float weight = weighted ? view.weight / (at.depth * at.depth) : 1.0f;
    sum = fmaf(weight, interpolate(projections + view.slot + image.middle, image.plane, at.column, at.row), sum);
  }
  float& voxel = slab.voxels[(std::int64_t{k} * slab.ny + j) * slab.nx + i];
  voxel = slab.accumulate ? voxel + sum : sum;
}

}  // namespace

void backproject_exact(Stream& stream, const float* projections, const ExactViews& views, bool weighted,
                       const VolumeSlab& slab) {
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), static_cast<unsigned>(slab.nz));
  stream.launch("backproject exact", grid, block, 0, exact, projections, views, weighted, slab);
}

}  // namespace backlit::cuda
