#include <cstdint>

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {
namespace {

template <int K, bool weighted, bool behind>
__global__ void general(__grid_constant__ const Sampling s, __grid_constant__ const GeneralViews views,
                        __grid_constant__ const VolumeSlab slab) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(slab.z0 + first);
  float sum[K] = {};
#pragma unroll 1
  for (int n = 0; n < views.count; ++n) {
    const GeneralView& v = views.view[n];
    const float unit = s.unit[views.first_layer + n];
    const float a = fmaf(v.a[0], x, fmaf(v.a[1], y, fmaf(v.a[2], z, v.a[3])));
    const float b = fmaf(v.b[0], x, fmaf(v.b[1], y, fmaf(v.b[2], z, v.b[3])));
    const float w = fmaf(v.w[0], x, fmaf(v.w[1], y, fmaf(v.w[2], z, v.w[3])));
    // Rows are (b / w). This tests without a division whether the whole column misses, because b + c w is affine in k.
    const float above = fmaf(0.5f, w, b), below = fmaf(-(s.rows + 0.5f), w, b);
    const float above_step = (K - 1) * fmaf(0.5f, v.w[2], v.b[2]);
    const float below_step = (K - 1) * fmaf(-(s.rows + 0.5f), v.w[2], v.b[2]);
    if (fmaxf(above, above + above_step) <= 0 || fminf(below, below + below_step) >= 0) continue;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const float depth = fmaf(v.w[2], k, w);
      float r = reciprocal(depth);
      if (behind) r = depth > 0 ? r : 0.0f;
      const float sample =
          tex2DLayered<float>(s.texture, fmaf(v.a[2], k, a) * r, fmaf(v.b[2], k, b) * r, views.first_layer + n);
      // A sample at r = 0 comes from the detector's corner and must not count in the unweighted sum either.
      const float weight = weighted ? unit * r * r : behind && r == 0 ? 0.0f : unit;
      sum[k] = fmaf(weight, sample, sum[k]);
    }
  }
  const std::int64_t slice = std::int64_t{slab.nx} * slab.ny;
  write_column<K>(slab.voxels + first * slice + std::int64_t{j} * slab.nx + i, slice, slab.nz - first, sum, 1.0f,
                  slab.accumulate);
}

}  // namespace

void backproject_general(Stream& stream, const Sampling& s, const GeneralViews& views, const VolumeSlab& slab) {
  constexpr int K = 16;
  const dim3 block(512);
  const dim3 grid(blocks(slab.nx, tile_width), blocks(slab.ny, block.x / tile_width), blocks(slab.nz, K));
  const auto run = [&](auto kernel) { stream.launch("backproject general", grid, block, 0, kernel, s, views, slab); };
  if (s.weighted)
    views.behind ? run(general<K, true, true>) : run(general<K, true, false>);
  else
    views.behind ? run(general<K, false, true>) : run(general<K, false, false>);
}

}  // namespace backlit::cuda
