#include <cstdint>

#include "cuda/device/layered_store.cuh"
#include "cuda/joseph/gather.hpp"
#include "cuda/joseph/path.cuh"
#include "cuda/shared/pixel.cuh"
#include "projectors/voxel_driven/orbit.hpp"

namespace backlit::cuda {
namespace {

__global__ void weigh_groups_kernel(__grid_constant__ const ProjectionTask t, bool rows_run_down, const float* unit,
                                    cudaSurfaceObject_t weighed) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= t.columns || row >= t.rows) return;
  const int layer = blockIdx.z;
  const ProjectedView& view = t.view[layer];
  const RayPath w = path_through(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)), 0);
  const float length = too_steep(w) ? 0.0f : w.length;
  const auto pixel = [&](int image) { return length * *pixel_at(t, view, {column, row}, image); };
  store<Texel::rgba16f>(weighed, float4{pixel(0), pixel(1), pixel(2), pixel(3)}, 1.0f / *unit, column,
                        rows_run_down ? t.rows - 1 - row : row, layer);
}

struct Texels {
  cudaTextureObject_t texture;
  const float* unit;
};

/// Adds a texel's four views to the orbit's four voxels: channel c at point j belongs to voxel (j + c) mod 4.
template <int K>
__device__ inline void add(float (&sum)[4][K], int j, int k, float weight, const float4& texel) {
  sum[j][k] = fmaf(weight, texel.x, sum[j][k]);
  sum[(j + 1) & 3][k] = fmaf(weight, texel.y, sum[(j + 1) & 3][k]);
  sum[(j + 2) & 3][k] = fmaf(weight, texel.z, sum[(j + 2) & 3][k]);
  sum[(j + 3) & 3][k] = fmaf(weight, texel.w, sum[(j + 3) & 3][k]);
}

/// A thread makes K voxels on top of each other at each of an orbit's four places. `most_rows` per voxel, 0: any
/// number. A filtered fetch gives two rows.
template <int K, int most_rows, bool parallel>
__global__ void __launch_bounds__(64)
    gather_orbits_kernel(__grid_constant__ const GatherTask t, __grid_constant__ const Texels weighed,
                         __grid_constant__ const GatheredVolume out) {
  const int n = out.size[0];
  const TilePlace place = tile_place();
  const int p = blockIdx.x * tile_width + place.x;
  const int q = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int first = blockIdx.z * K;
  if (p >= orbit_side(n) || q >= orbit_side(n) || !orbit_exists(p, q, n)) return;
  const float middle = n & 1 ? 0.0f : 0.5f;
  const float x0 = static_cast<float>(p) + middle, y0 = static_cast<float>(q) + middle;
  const int columns = t.columns, rows = t.rows;
  float sum[4][K] = {};
#pragma unroll 1
  for (int layer = 0; layer < t.views; ++layer) {
    const int item = t.item[layer];
    const ColumnRayView& view = t.view[item];
    const ColumnRay* const rays = t.ray + std::int64_t{item} * columns;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const auto [x, y] = orbit_point(x0, y0, j);
      const VoxelColumn column = voxel_column<true, parallel>(view, 0, x, y, columns);
      const float per_along = parallel ? 1.0f : quick_reciprocal(column.along);
#pragma unroll 1
      for (int c = column.first; c <= column.last; ++c) {
        const float4 stored = *reinterpret_cast<const float4*>(rays + c);
        const ColumnShare s = column_share({stored.x, stored.y, stored.z, stored.w}, column, 0, per_along);
        if (s.share == 0) continue;
        const float row = fmaf(static_cast<float>(first - 1) - view.height, s.step, view.row);
        if (fmaf(K + 1, s.step, row) < static_cast<float>(-rows / 2 - 1) || row > static_cast<float>(rows)) continue;
        const float u = static_cast<float>(c) + 0.5f, v = static_cast<float>(rows / 2) + 0.5f;
        const auto add_pair = [&](int k, float at, float share) {
          add<K>(sum, j, k, s.share * share, tex2DLayered<float4>(weighed.texture, u, v + at, layer));
        };
        if (most_rows == 1 || (most_rows == 2 && s.step <= 1))
          for_row_pairs<K, 1>(row, s.step, add_pair);
        else if constexpr (most_rows == 2)
          for_row_pairs<K, 2>(row, s.step, add_pair);
        else if constexpr (most_rows == 0)
          for_rows_between<K, 0>(
              row, s.step, s.share, rows,
              [&](int r) { return tex2DLayered<float4>(weighed.texture, u, static_cast<float>(r) + 0.5f, layer); },
              [&](int k, float upper, float, const float4(&texel)[1]) {
                if (k > 0) add<K>(sum, j, max(k - 1, 0), s.share - upper, texel[0]);
                if (k < K) add<K>(sum, j, min(k, K - 1), upper, texel[0]);
              });
      }
    }
  }
  const std::int64_t slice = std::int64_t{n} * n;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j > 0 && orbit_is_axis(p, q, n)) return;  // the middle column is one voxel, not four
    const OrbitColumn at = orbit_column(p, q, j, n);
    write_column<K>(out.voxels + first * slice + std::int64_t{at.j} * n + at.i, slice, out.size[2] - first, sum[j],
                    *weighed.unit, out.accumulate);
  }
}

}  // namespace

void weigh_groups(Stream& stream, const ProjectionTask& task, bool rows_run_down, const LayeredTextures& weighed) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(task.columns, block.x), blocks(task.rows, block.y), static_cast<unsigned>(task.views));
  stream.launch("weigh groups", grid, block, 0, weigh_groups_kernel, task, rows_run_down, weighed.unit(),
                weighed.surface(0));
}

void gather_orbits(Stream& stream, const GatherTask& t, const LayeredTextures& weighed, const GatheredVolume& out) {
  constexpr int K = 4;
  const dim3 block(64);
  const int side = orbit_side(out.size[0]);
  const dim3 grid(blocks(side, tile_width), blocks(side, block.x / tile_width), blocks(out.size[2], K));
  const auto run = [&](auto kernel) {
    stream.launch("gather orbits", grid, block, 0, kernel, t, Texels{weighed.texture(0), weighed.unit()}, out);
  };
  if (t.most_rows == 1)
    t.parallel ? run(gather_orbits_kernel<K, 1, true>) : run(gather_orbits_kernel<K, 1, false>);
  else if (t.most_rows == 2)
    t.parallel ? run(gather_orbits_kernel<K, 2, true>) : run(gather_orbits_kernel<K, 2, false>);
  else
    t.parallel ? run(gather_orbits_kernel<K, 0, true>) : run(gather_orbits_kernel<K, 0, false>);
}

}  // namespace backlit::cuda
