#include <cstdint>

#include "backproject/device.cuh"
#include "backproject/kernels.hpp"
#include "projector/bilinear.hpp"

namespace backlit::cuda {
namespace {

__global__ void exact(const float* __restrict__ projections, int columns, int rows, const ExactView* __restrict__ views,
                      int count, bool weighted, __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  if (i >= slab.nx || j >= slab.ny) return;
  const PlaneLayout plane = image_plane(columns, rows);
  float sum = 0;
  for (int n = 0; n < count; ++n) {
    const ExactView& view = views[n];
    const auto at =
        project_point(view.map, static_cast<float>(i), static_cast<float>(j), static_cast<float>(slab.z0 + k));
    if (!(at.depth > 0)) continue;
    const float weight = weighted ? view.weight / (at.depth * at.depth) : 1.0f;
    sum = fmaf(weight, interpolate(projections + view.slot, plane, at.column, at.row), sum);
  }
  float& voxel = slab.voxels[(std::int64_t{k} * slab.ny + j) * slab.nx + i];
  voxel = slab.accumulate ? voxel + sum : sum;
}

}  // namespace

void backproject_exact(Stream& stream, const float* projections, int columns, int rows, const ExactView* views,
                       int count, bool weighted, const VolumeSlab& slab) {
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), static_cast<unsigned>(slab.nz));
  stream.launch("backproject exact", grid, block, 0, exact, projections, columns, rows, views, count, weighted, slab);
}

}  // namespace backlit::cuda
