// Any detector, any view, with texture fetches: the counterpart of exact.cu in software.
#include <cstdint>

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/maps.hpp"

namespace backlit::cuda {
namespace {

template <int K>
__global__ void __launch_bounds__(256)
    maps(__grid_constant__ const Sampling s, __grid_constant__ const ExactViews views, int first_layer,
         __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x, j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
  float sum[K] = {};
  const float column0 = static_cast<float>(views.columns / 2) + 0.5f, row0 = static_cast<float>(views.rows / 2) + 0.5f;
  for (int n = 0; n < views.count; ++n) {
    const ExactView& view = views.view[n];
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const auto at = position_of(views, view, i, j, slab.z0 + first + k);
      if (!(at.depth > 0)) continue;
      const float sample = tex2DLayered<float>(s.texture, at.column + column0, at.row + row0, first_layer + n);
      sum[k] = fmaf(s.weighted ? view.weight / (at.depth * at.depth) : 1.0f, sample, sum[k]);
    }
  }
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  write_column<K>(slab.voxels + first * slice + std::int64_t{j} * slab.nx + i, slice, slab.nz - first, sum, *s.unit,
                  slab.accumulate);
}

}  // namespace

void backproject_maps(Stream& stream, const Sampling& s, const ExactViews& views, int first_layer,
                      const VolumeSlab& slab) {
  constexpr int K = 4;
  const dim3 block(256);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, K));
  stream.launch("backproject maps", grid, block, 0, maps<K>, s, views, first_layer, slab);
}

}  // namespace backlit::cuda
