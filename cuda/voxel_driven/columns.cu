#include <cstdint>

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {
namespace {

template <int K, bool weighted, bool curved>
__global__ void columns(__grid_constant__ const Sampling s, __grid_constant__ const ColumnDetector d,
                        __grid_constant__ const ColumnViews views, __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(slab.z0 + first);
  float sum[K] = {};
#pragma unroll 1
  for (int n = 0; n < views.count; ++n) {
    const ColumnView& v = views.view[n];
    const float a = fmaf(v.a[0], x, fmaf(v.a[1], y, v.a[2]));
    const float w = fmaf(v.w[0], x, fmaf(v.w[1], y, v.w[2]));
    const float r = curved ? rsqrtf(fmaf(a, a, w * w)) : reciprocal(w);
    const float column = fmaf(d.columns, curved ? atan2f(a, w) : a * r, d.column0);
    const float row = fmaf(r, fmaf(v.b[0], z, v.b[1]), v.row0);
    const float step = r * v.b[0];
    if (misses(row, fmaf(step, K - 1, row), s.rows)) continue;
    const float unit = s.unit[views.first_layer + n], weight = weighted ? unit * r * r : unit;
#pragma unroll
    for (int k = 0; k < K; ++k)
      sum[k] = fmaf(weight, tex2DLayered<float>(s.texture, column, fmaf(step, k, row), views.first_layer + n), sum[k]);
  }
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  write_column<K>(slab.voxels + first * slice + std::int64_t{j} * slab.nx + i, slice, slab.nz - first, sum, 1.0f,
                  slab.accumulate);
}

}  // namespace

void backproject_columns(Stream& stream, const Sampling& s, const ColumnDetector& d, const ColumnViews& views,
                         const VolumeSlab& slab) {
  constexpr int K = 16;
  const dim3 block(512);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, K));
  const auto run = [&](auto kernel) {
    stream.launch("backproject columns", grid, block, 0, kernel, s, d, views, slab);
  };
  if (s.weighted)
    d.curved ? run(columns<K, true, true>) : run(columns<K, true, false>);
  else
    d.curved ? run(columns<K, false, true>) : run(columns<K, false, false>);
}

}  // namespace backlit::cuda
