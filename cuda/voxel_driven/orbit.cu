#include <cstdint>

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/kernels.hpp"
#include "projectors/voxel_driven/orbit.hpp"

namespace backlit::cuda {
namespace {

template <int K, bool weighted, bool parallel>
__global__ void orbit(__grid_constant__ const Sampling s, __grid_constant__ const OrbitScan g,
                      __grid_constant__ const OrbitGroups groups, __grid_constant__ const VolumeSlab slab) {
  const int n = slab.nx;
  const TilePlace place = tile_place();
  const int p = blockIdx.x * tile_width + place.x;
  const int q = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (p >= orbit_side(n) || q >= orbit_side(n) || !orbit_exists(p, q, n)) return;
  const float middle = n & 1 ? 0.0f : 0.5f;
  const float x = g.spacing * (static_cast<float>(p) + middle), y = g.spacing * (static_cast<float>(q) + middle);
  const float z = fmaf(g.z[0], static_cast<float>(slab.z0 + first), g.z[1]);
  const float square = g.distance * g.distance;
  float sum[4][K] = {};
#pragma unroll 1
  for (int l = 0; l < groups.count; ++l) {
    const float2 c = groups.direction[l];
    const float unit = s.unit[groups.first_layer + l];
    const float a0 = fmaf(x, c.x, y * c.y), b0 = fmaf(y, c.x, -x * c.y);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const auto [a, b] = orbit_point(a0, b0, j);
      const float r = parallel ? 1.0f : reciprocal(g.distance - a);
      const float column = fmaf(g.columns * b, r, g.column0);
      const float rows = g.rows * r;
      const float row = fmaf(rows, z, g.row0), step = rows * g.z[0];
      if (misses(row, fmaf(step, K - 1, row), s.rows)) continue;
      const float weight = weighted && !parallel ? unit * square * r * r : unit;
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const float4 t = tex2DLayered<float4>(s.texture, column, fmaf(step, k, row), groups.first_layer + l);
        sum[j][k] = fmaf(weight, t.x, sum[j][k]);
        sum[(j + 1) & 3][k] = fmaf(weight, t.y, sum[(j + 1) & 3][k]);
        sum[(j + 2) & 3][k] = fmaf(weight, t.z, sum[(j + 2) & 3][k]);
        sum[(j + 3) & 3][k] = fmaf(weight, t.w, sum[(j + 3) & 3][k]);
      }
    }
  }
  const std::int64_t slice = std::int64_t{n} * n;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j > 0 && orbit_is_axis(p, q, n)) return;  // the middle column is one voxel, not four
    const OrbitColumn at = orbit_column(p, q, j, n);
    write_column<K>(slab.voxels + first * slice + std::int64_t{at.j} * n + at.i, slice, slab.nz - first, sum[j], 1.0f,
                    slab.accumulate);
  }
}

}  // namespace

void backproject_orbit(Stream& stream, const Sampling& s, const OrbitScan& g, const OrbitGroups& groups,
                       const VolumeSlab& slab) {
  constexpr int K = 4;
  const dim3 block(64);
  const int side = orbit_side(slab.nx);
  const dim3 grid(blocks(side, tile_width), blocks(side, block.x / tile_width), blocks(slab.nz, K));
  const auto run = [&](auto kernel) { stream.launch("backproject orbit", grid, block, 0, kernel, s, g, groups, slab); };
  if (s.weighted)
    g.parallel ? run(orbit<K, true, true>) : run(orbit<K, true, false>);
  else
    g.parallel ? run(orbit<K, false, true>) : run(orbit<K, false, false>);
}

}  // namespace backlit::cuda
