#include <cstdint>

#include "cuda/voxel_driven/exact.cuh"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {
namespace {

template <int K, bool flat>
__global__ void __launch_bounds__(256)
    exact(const float* __restrict__ projections, __grid_constant__ const ExactViews views, bool weighted,
          __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
  float sum[K] = {};
#pragma unroll 1
  for (int n = 0; n < views.count; ++n) {
    const ExactView& view = views.view[n];
    const ColumnInView<flat> column(views, view, i, j);
    const float* const image = projections + view.slot;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      float u, v, nearness;
      if (!column.at(slab.z0 + first + k, u, v, nearness)) continue;
      const float weight = weighted ? view.weight * nearness * nearness : 1.0f;
      sum[k] = fmaf(weight, sample_image(image, views, u, v).value, sum[k]);
    }
  }
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  write_column<K>(slab.voxels + first * slice + std::int64_t{j} * slab.nx + i, slice, slab.nz - first, sum, 1.0f,
                  slab.accumulate);
}

}  // namespace

void backproject_exact(Stream& stream, const float* projections, const ExactViews& views, bool weighted,
                       const VolumeSlab& slab) {
  constexpr int K = 4;
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, K));
  stream.launch("backproject exact", grid, block, 0, views.flat ? exact<K, true> : exact<K, false>, projections, views,
                weighted, slab);
}

}  // namespace backlit::cuda
