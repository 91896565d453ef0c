// Quarter-turn orbits with interpolation of rows along v in registers. Along u a row's value comes from two texels
// ("orbit_fine": 9 times the speed of interpolation in software from linear memory) or from the texture's filter.
//
// Both need fewer texels than one filtered fetch for four updates, but are slower: a fetch costs a warp the same,
// whether one of its threads needs it or all. Measured on an H200 (cone512, rgba16f; 3,918 GUPS for the plain kernel):
// along u by the texture, with an earlier version, 2,774. One point of each orbit interpolated in half precision from
// shared memory gave 3,091, because shared memory and textures use the same path to the data.
#pragma once

#include <cmath>
#include <cstdint>

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/kernels.hpp"
#include "projectors/voxel_driven/orbit.hpp"

namespace backlit::cuda {
namespace {

constexpr int K = 8;  ///< slices per thread

/// A thread's orbit and its first slice.
struct OrbitPlace {
  int p, q, first;
  float x, y, z;
  bool exists;
};
__device__ inline OrbitPlace orbit_place(const OrbitScan& g, const VolumeSlab& slab) {
  const int n = slab.nx;
  const TilePlace place = tile_place();
  OrbitPlace o;
  o.p = blockIdx.x * tile_width + place.x;
  o.q = blockIdx.y * (blockDim.x / tile_width) + place.y;
  o.first = blockIdx.z * K;
  o.exists = o.p < orbit_side(n) && o.q < orbit_side(n) && orbit_exists(o.p, o.q, n);
  const float middle = n & 1 ? 0.0f : 0.5f;
  o.x = g.spacing * (static_cast<float>(o.p) + middle);
  o.y = g.spacing * (static_cast<float>(o.q) + middle);
  o.z = fmaf(g.z[0], static_cast<float>(slab.z0 + o.first), g.z[1]);
  return o;
}

__device__ inline void write_orbit(const OrbitPlace& o, const VolumeSlab& slab, const float (&sum)[4][K], float unit) {
  const int n = slab.nx;
  const std::int64_t slice = std::int64_t{n} * n;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j > 0 && orbit_is_axis(o.p, o.q, n)) return;  // the middle column is one voxel, not four
    const OrbitColumn at = orbit_column(o.p, o.q, j, n);
    write_column<K>(slab.voxels + o.first * slice + std::int64_t{at.j} * n + at.i, slice, slab.nz - o.first, sum[j],
                    unit, slab.accumulate);
  }
}

/// Position of point j of an orbit in the view, at the orbit's first slice.
struct OrbitSample {
  float column, row, step, weight;  ///< texture coordinates; rows per slice; FDK's weight
};
__device__ inline OrbitSample orbit_sample(const OrbitScan& g, const OrbitPlace& o, float2 c, int j, bool weighted) {
  const auto [a, b] = orbit_point(fmaf(o.x, c.x, o.y * c.y), fmaf(o.y, c.x, -o.x * c.y), j);
  const float r = reciprocal(g.distance - a), rows = g.rows * r;
  return {fmaf(g.columns * b, r, g.column0), fmaf(rows, o.z, g.row0), rows * g.z[0],
          weighted ? g.distance * g.distance * r * r : 1.0f};
}

__device__ inline void add_texel(float (&sum)[4][K], int j, int k, float weight, const float4& t) {
  sum[j][k] = fmaf(weight, t.x, sum[j][k]);
  sum[(j + 1) & 3][k] = fmaf(weight, t.y, sum[(j + 1) & 3][k]);
  sum[(j + 2) & 3][k] = fmaf(weight, t.z, sum[(j + 2) & 3][k]);
  sum[(j + 3) & 3][k] = fmaf(weight, t.w, sum[(j + 3) & 3][k]);
}

/// A row's value at `column`, from two texels or by the filter.
template <bool filtered>
__device__ inline float4 row_at(const Sampling& s, float column, float row, int layer) {
  if (filtered) return tex2DLayered<float4>(s.texture, column, row, layer);
  const float left = floorf(column - 0.5f) + 0.5f, share = column - left;
  const float4 a = tex2DLayered<float4>(s.texture, left, row, layer);
  const float4 b = tex2DLayered<float4>(s.texture, left + 1, row, layer);
  return {fmaf(share, b.x - a.x, a.x), fmaf(share, b.y - a.y, a.y), fmaf(share, b.z - a.z, a.z),
          fmaf(share, b.w - a.w, a.w)};
}

/// Along v two rows are kept in registers. The next row is fetched when the column of voxels passes them: one at a
/// time, or several where slices are `tall`.
template <bool tall, bool filtered>
__global__ void fine(__grid_constant__ const Sampling s, __grid_constant__ const OrbitScan g,
                     __grid_constant__ const OrbitGroups groups, __grid_constant__ const VolumeSlab slab) {
  const OrbitPlace o = orbit_place(g, slab);
  if (!o.exists) return;
  float sum[4][K] = {};
#pragma unroll 1
  for (int l = 0; l < groups.count; ++l) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const OrbitSample at = orbit_sample(g, o, groups.direction[l], j, s.weighted);
      if (misses(at.row, fmaf(at.step, K - 1, at.row), s.rows)) continue;
      const int layer = groups.first_layer + l;
      float row = floorf(at.row - 0.5f) + 0.5f;  // the centre of the lower row
      float share = at.row - row;
      float4 lower = row_at<filtered>(s, at.column, row, layer);
      row += 1;
      float4 upper = row_at<filtered>(s, at.column, row, layer);
#pragma unroll
      for (int k = 0; k < K; ++k) {
        add_texel(sum, j, k, at.weight * (1 - share), lower);
        add_texel(sum, j, k, at.weight * share, upper);
        if (k == K - 1) break;
        share += at.step;
        if (share >= 1) {
          const float passed = floorf(share);
          share -= passed;
          row += passed;
          lower = tall && passed > 1 ? row_at<filtered>(s, at.column, row - 1, layer) : upper;
          upper = row_at<filtered>(s, at.column, row, layer);
        }
      }
    }
  }
  write_orbit(o, slab, sum, *s.unit);
}

template <bool filtered>
void backproject_rows(Stream& stream, const char* name, const Sampling& s, const OrbitScan& g,
                      const OrbitGroups& groups, const VolumeSlab& slab) {
  const dim3 block(64);
  const int side = orbit_side(slab.nx);
  const dim3 grid(blocks(side, tile_width), blocks(side, block.x / tile_width), blocks(slab.nz, K));
  const float nearest = g.distance - std::sqrt(0.5f) * g.spacing * static_cast<float>(slab.nx);
  const bool tall = std::abs(g.rows * g.z[0]) >= nearest;  // more than a row a slice somewhere
  stream.launch(name, grid, block, 0, tall ? fine<true, filtered> : fine<false, filtered>, s, g, groups, slab);
}

}  // namespace

}  // namespace backlit::cuda
