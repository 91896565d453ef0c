#include <cstdint>

#include "backproject/device.cuh"
#include "backproject/kernels.hpp"

namespace backlit::cuda {
namespace {

constexpr int K = 4;                  ///< slices a thread: independent loads, to keep device memory busy
constexpr float least_share = 1e-6f;  ///< of a view; below it a voxel counts as unseen

/// What interpolation along one side would give of ones at [lower, upper).
__device__ inline float share_of(float x, std::int64_t lower, std::int64_t upper) {
  return fminf(fmaxf(fminf(x - static_cast<float>(lower - 1), static_cast<float>(upper) - x), 0.0f), 1.0f);
}

__global__ void __launch_bounds__(256)
    relax(const float* __restrict__ projections, __grid_constant__ const ExactViews views, float factor, float least,
          __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
  const MiddlePlane image = middle_plane(views);
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  float* const column = slab.voxels + first * slice + std::int64_t{j} * slab.nx + i;
  float sum[K] = {}, seen[K] = {}, old[K] = {};
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (first + k < slab.nz) old[k] = column[k * slice];
  for (int n = 0; n < views.count; ++n) {
    const ExactView& view = views.view[n];
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const auto at = position_of(views, view, i, j, slab.z0 + first + k);
      if (!(at.depth > 0)) continue;
      sum[k] += interpolate(projections + view.slot + image.middle, image.plane, at.column, at.row);
      seen[k] += share_of(at.column, image.plane.lower_u, image.plane.upper_u) *
                 share_of(at.row, image.plane.lower_v, image.plane.upper_v);
    }
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const float change = seen[k] > least_share * static_cast<float>(views.count) ? factor * sum[k] / seen[k] : 0.0f;
    if (first + k < slab.nz) column[k * slice] = fmaxf(old[k] + change, least);
  }
}

}  // namespace

void relax_exact(Stream& stream, const float* projections, const ExactViews& views, float factor, float least,
                 const VolumeSlab& slab) {
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, K));
  stream.launch("relax", grid, block, 0, relax, projections, views, factor, least, slab);
}

}  // namespace backlit::cuda
