// Definitions for kernels.hpp: instantiated for float here, and for double by a study.
#pragma once

#include "cuda/distance_driven/kernels.hpp"
#include "cuda/distance_driven/lookup.cuh"

namespace backlit::cuda {
namespace {

struct Group {
  const SeenView* views;
  int count, axis;
};

__global__ void find(DistanceDrivenPlan plan, Group group, int tile, int tile_count, int* first) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, slab = blockIdx.y;
  if (t >= tile_count) return;
  const ColumnEdge<double>* edges =
      plan.edges + static_cast<std::int64_t>(group.views[blockIdx.z].view) * (plan.columns + 1);
  const double start = t * tile;
  int below = -1, above = plan.columns;  // edge[below] <= start < edge[above + 1], if these edges exist
  while (above - below > 1) {
    const int c = (below + above) / 2;
    (edges[c + 1].at(slab) <= start ? below : above) = c;
  }
  first[(static_cast<std::int64_t>(blockIdx.z) * gridDim.y + slab) * tile_count + t] = above;
}

__device__ inline float within_one(float a) { return __saturatef(a); }
__device__ inline double within_one(double a) { return fmin(fmax(a, 0.0), 1.0); }
__device__ inline float quotient(float a, float b) { return __fdividef(a, b); }
__device__ inline double quotient(double a, double b) { return a / b; }

/// A column of cells in a tile's slab: its shares in the voxels, and the positions of slices' edges among its rows.
template <class T>
struct alignas(16) Reach {
  T share[tile_voxels<T>];
  T at, per_slice;
  std::uint32_t line;  ///< start of its sums, minus Place::zero

  /// `left` and `right` are its edges, relative to the tile's first voxel.
  __device__ void put(T left, T right, const RowEdges<double>& column, int slab, int slice, int rows) {
    const T step = static_cast<T>(column.step_at(slab)), over = quotient(step < 0 ? T(-1) : T(1), right - left);
#pragma unroll
    for (int i = 0; i < tile_voxels<T>; ++i) share[i] = (within_one(right - i) - within_one(left - i)) * over;
    per_slice = quotient(static_cast<T>(Place<T>::unit(rows)), step);
    at = static_cast<T>(slice - column.base_at(slab)) * per_slice;
  }
};

/// Voxels of a tile whose shares in a column are applied together: most columns meet no more. Columns are ordered, so
/// the columns that meet a group are neighbours.
constexpr int group_voxels = 4;

/// Adds columns [begin, until) to the group that starts at voxel x of the tile. `edge` holds edges of slices, counted
/// from the first; positions among rows go from 0 to n.
template <class T, int R>
__device__ inline void add_columns(const Reach<T>* columns, int begin, int until, const T* sums, const T (&edge)[R],
                                   T n, int x, T (&part)[tile_voxels<T>][R]) {
#pragma unroll 2
  for (int c = begin; c < until; ++c) {
    const Reach<T>& reach = columns[c];
    Place<T> place[R];
#pragma unroll
    for (int m = 0; m < R; ++m) place[m] = Place<T>(reach.at, reach.per_slice, edge[m], n);
    const Neighbours<T, R> neighbours(sums, reach.line, place);
#pragma unroll
    for (int m = 0; m < R; ++m) {
      const T value = neighbours.at(place, m);
#pragma unroll
      for (int i = 0; i < group_voxels; ++i) part[x + i][m] = fma(reach.share[x + i], value, part[x + i][m]);
    }
  }
}

/// Blocks per multiprocessor: sums for eight voxels leave registers for no more (measured: 3 and 5 are slower).
template <class T>
constexpr int backprojecting_blocks(int deep) {
  return sizeof(T) == 8 ? 2 : deep <= 2 ? 4 : 3;
}

/// A warp makes 32 R slices of tile_voxels voxel columns. Lanes hold the lower edges of these slices. The last slice's
/// upper edge is looked up by the lanes, each for a column of cells.
template <class T, int R>
__global__ void __launch_bounds__(32 * warps, backprojecting_blocks<T>(R))
    backproject(DistanceDrivenPlan plan, Group group, int tile_count, const int* first, const T* sums, T* voxels) {
  constexpr int batch = 31;  // columns: a lane has the left edge of its own column
  constexpr int across_tile = tile_voxels<T>;
  __shared__ Reach<T> reaches[warps][batch];
  __shared__ T totals[across_tile * R][warps][32];  // seldom used: registers have better uses
  const int lane = threadIdx.x, tile = blockIdx.x * warps + threadIdx.y, slab = blockIdx.y;
  if (tile >= tile_count) return;
  const int slabs = plan.slabs(group.axis), across = plan.across(group.axis), nz = plan.size[2];
  const int first_slice = blockIdx.z * 32 * R, line = plan.rows + 2;
  const T n = static_cast<T>(plan.rows), end = static_cast<T>(min(32 * R, nz - first_slice));
  const double start = tile * across_tile;
  T edge[R];
#pragma unroll
  for (int m = 0; m < R; ++m) edge[m] = static_cast<T>(min(32 * m + lane, nz - first_slice));
  Reach<T>* mine = reaches[threadIdx.y];
#pragma unroll
  for (int i = 0; i < across_tile * R; ++i) totals[i][threadIdx.y][lane] = 0;

  for (int done = 0; done < group.count; done += 32) {
    T part[across_tile][R] = {}, ends[across_tile] = {};
    for (int v = done; v < min(done + 32, group.count); ++v) {
      const std::int64_t view = group.views[v].view;
      const ColumnEdge<double>* edges = plan.edges + view * (plan.columns + 1);
      const RowEdges<double>* cells = plan.cells + view * plan.columns;
      for (int c = first[(static_cast<std::int64_t>(v) * slabs + slab) * tile_count + tile];; c += batch) {
        const T left = static_cast<T>(edges[min(c + lane, plan.columns)].at(slab) - start);
        const T right = __shfl_down_sync(~0u, left, 1);
        const bool meets = lane < batch && c + lane < plan.columns && left < across_tile;
        if (meets) {
          Reach<T> reach;
          reach.put(left, right, cells[c + lane], slab, first_slice, plan.rows);
          reach.line = static_cast<std::uint32_t>(v * plan.columns + c + lane) * line - Place<T>::zero;
          mine[lane] = reach;
          const T value = look_up(sums, reach.line, Place<T>(reach.at, reach.per_slice, end, n));
#pragma unroll
          for (int x = 0; x < across_tile; ++x) ends[x] = fma(reach.share[x], value, ends[x]);
        }
        const int count = __popc(__ballot_sync(~0u, meets));
        __syncwarp();
#pragma unroll
        for (int x = 0; x < across_tile; x += group_voxels) {
          const int begin = x == 0 ? 0 : __popc(__ballot_sync(~0u, meets && right <= x));
          const int until = __popc(__ballot_sync(~0u, meets && left < x + group_voxels));
          add_columns(mine, begin, until, sums, edge, n, x, part);
        }
        __syncwarp();
        if (count < batch) break;
      }
    }
#pragma unroll
    for (int x = 0; x < across_tile; ++x) {
      T sums_of[R] = {};
      add_differences<T, R>(part[x], warp_sum(ends[x]), sums_of);
#pragma unroll
      for (int m = 0; m < R; ++m) totals[x * R + m][threadIdx.y][lane] += sums_of[m];
    }
  }

  const int to_voxel = group.axis == 0 ? plan.size[0] : 1, to_slab = group.axis == 0 ? 1 : plan.size[0];
#pragma unroll
  for (int x = 0; x < across_tile; ++x) {
    const int i = tile * across_tile + x;
    if (i >= across) continue;
#pragma unroll
    for (int m = 0; m < R; ++m) {
      const int k = first_slice + 32 * m + lane;
      if (k < nz)
        voxels[(static_cast<std::int64_t>(i) * to_voxel + slab * to_slab) * nz + k] +=
            totals[x * R + m][threadIdx.y][lane];
    }
  }
}

}  // namespace

template <class T>
void find_columns(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                  int* first) {
  const int n = tiles<T>(plan.size[1 - axis]);
  const dim3 grid(blocks(n, 128), static_cast<unsigned>(plan.size[axis]), static_cast<unsigned>(count));
  stream.launch("find columns", grid, dim3(128), 0, find, plan, Group{views, count, axis}, tile_voxels<T>, n, first);
}

template <class T>
void backproject_columns(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                         const int* first, const T* sums, T* voxels) {
  const int n = tiles<T>(plan.size[1 - axis]);
  const auto run = [&]<int R>() {
    const dim3 grid(blocks(n, warps), static_cast<unsigned>(plan.size[axis]), blocks(plan.size[2], 32 * R));
    stream.launch("backproject columns", grid, dim3(32, warps), 0, backproject<T, R>, plan, Group{views, count, axis},
                  n, first, sums, voxels);
  };
  with_lanes(plan.size[2], run);
}

}  // namespace backlit::cuda
