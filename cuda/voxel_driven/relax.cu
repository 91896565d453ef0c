#include <cstdint>

#include "cuda/voxel_driven/exact.cuh"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {
namespace {

constexpr int per_thread = 4;         ///< slices per thread: independent loads keep device memory busy
constexpr float least_share = 1e-6f;  ///< share of a view; with less, a voxel counts as unseen

template <bool flat>
__global__ void __launch_bounds__(256)
    relax(const float* __restrict__ projections, __grid_constant__ const ExactViews views, float factor, float least,
          __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * per_thread;
  if (i >= slab.nx || j >= slab.ny) return;
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  float* const voxel = slab.voxels + first * slice + std::int64_t{j} * slab.nx + i;
  float sum[per_thread] = {}, seen[per_thread] = {}, old[per_thread] = {};
#pragma unroll
  for (int k = 0; k < per_thread; ++k)
    if (first + k < slab.nz) old[k] = voxel[k * slice];
#pragma unroll 1
  for (int n = 0; n < views.count; ++n) {
    const ExactView& view = views.view[n];
    const ColumnInView<flat> column(views, view, i, j);
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      float u, v, nearness;
      if (!column.at(slab.z0 + first + k, u, v, nearness)) continue;
      const Sample sample = sample_image(projections + view.slot, views, u, v);
      sum[k] += sample.value;
      seen[k] += sample.share;
    }
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const float change = seen[k] > least_share * static_cast<float>(views.count) ? factor * sum[k] / seen[k] : 0.0f;
    if (first + k < slab.nz) voxel[k * slice] = fmaxf(old[k] + change, least);
  }
}

}  // namespace

void relax_exact(Stream& stream, const float* projections, const ExactViews& views, float factor, float least,
                 const VolumeSlab& slab) {
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, per_thread));
  stream.launch("relax", grid, block, 0, views.flat ? relax<true> : relax<false>, projections, views, factor, least,
                slab);
}

}  // namespace backlit::cuda
