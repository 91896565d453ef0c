#include "distance_driven/kernels.hpp"
#include "distance_driven/lookup.cuh"

namespace backlit::cuda {
namespace {

constexpr int warps = 8;

struct Group {
  const SeenView* views;
  int count, axis;
};

__global__ void find(DistanceDrivenPlan plan, Group group, int tile_count, int* first) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x, slab = blockIdx.y;
  if (tile >= tile_count) return;
  const ColumnEdge<double>* edges =
      plan.edges + static_cast<std::int64_t>(group.views[blockIdx.z].view) * (plan.columns + 1);
  const double start = tile * tile_voxels;
  int below = -1, above = plan.columns;  // edge[below] <= start < edge[above + 1], as far as there are such
  while (above - below > 1) {
    const int c = (below + above) / 2;
    (edges[c + 1].at(slab) <= start ? below : above) = c;
  }
  first[(static_cast<std::int64_t>(blockIdx.z) * gridDim.y + slab) * tile_count + tile] = above;
}

/// A column of cells over a tile's slab: its shares of the voxels, and where slices' edges lie among its rows.
template <class T>
struct alignas(16) Reach {
  T share[tile_voxels];
  T at, per_slice;

  /// Returns whether they meet.
  __device__ bool put(const ColumnEdge<double>* edge, const RowEdges<double>& column, int slab, int start, int slice,
                      int rows) {
    const double a = edge[0].at(slab) - start, b = edge[1].at(slab) - start, step = column.step_at(slab);
    const T left = static_cast<T>(a), right = static_cast<T>(b);
    const T over = static_cast<T>(step < 0 ? -1 : 1) / static_cast<T>(b - a);
#pragma unroll
    for (int i = 0; i < tile_voxels; ++i) {
      const T length = fmin(right, static_cast<T>(i + 1)) - fmax(left, static_cast<T>(i));
      share[i] = length > 0 ? length * over : 0;
    }
    const double unit = Place<T>::unit(rows) / step;
    at = static_cast<T>((slice - column.base_at(slab)) * unit);
    per_slice = static_cast<T>(unit);
    return a < tile_voxels && b > 0;
  }
};

/// A warp is tile_voxels columns of voxels and 32 R edges of their slices; slices between them are written.
template <class T, int R>
__global__ void __launch_bounds__(32 * warps)
    backproject(DistanceDrivenPlan plan, Group group, int tile_count, const int* first, const T* sums, T* voxels) {
  __shared__ Reach<T> reaches[warps][32];
  const int lane = threadIdx.x, tile = blockIdx.x * warps + threadIdx.y, slab = blockIdx.y;
  if (tile >= tile_count) return;
  const int slabs = plan.slabs(group.axis), across = plan.across(group.axis), nz = plan.size[2];
  const int first_slice = blockIdx.z * (32 * R - 1);
  const T n = static_cast<T>(plan.rows);
  T edge[R], total[tile_voxels][R] = {};
#pragma unroll
  for (int m = 0; m < R; ++m) edge[m] = static_cast<T>(min(32 * m + lane, nz - first_slice));
  Reach<T>* mine = reaches[threadIdx.y];

  for (int start = 0; start < group.count; start += 32) {
    T part[tile_voxels][R] = {};
    for (int v = start; v < min(start + 32, group.count); ++v) {
      const std::int64_t view = group.views[v].view;
      const ColumnEdge<double>* edges = plan.edges + view * (plan.columns + 1);
      const RowEdges<double>* cells = plan.cells + view * plan.columns;
      for (int c = first[(static_cast<std::int64_t>(v) * slabs + slab) * tile_count + tile];; c += 32) {
        const bool meets = c + lane < plan.columns && mine[lane].put(edges + c + lane, cells[c + lane], slab,
                                                                     tile * tile_voxels, first_slice, plan.rows);
        const int count = __popc(__ballot_sync(~0u, meets));
        __syncwarp();
        const T* line = sums + (static_cast<std::int64_t>(v) * plan.columns + c) * (plan.rows + 2);
        for (int i = 0; i < count; ++i, line += plan.rows + 2) {
          const Reach<T> reach = mine[i];
#pragma unroll
          for (int m = 0; m < R; ++m) {
            const T value = look_up(line, Place<T>(reach.at, reach.per_slice, edge[m], n));
#pragma unroll
            for (int x = 0; x < tile_voxels; ++x) part[x][m] = fma(reach.share[x], value, part[x][m]);
          }
        }
        __syncwarp();
        if (count < 32) break;
      }
    }
#pragma unroll
    for (int x = 0; x < tile_voxels; ++x) add_differences<T, R>(part[x], total[x]);
  }

  const int to_voxel = group.axis == 0 ? plan.size[0] : 1, to_slab = group.axis == 0 ? 1 : plan.size[0];
#pragma unroll
  for (int x = 0; x < tile_voxels; ++x) {
    const int i = tile * tile_voxels + x;
    if (i >= across) continue;
#pragma unroll
    for (int m = 0; m < R; ++m) {
      const int k = first_slice + 32 * m + lane;
      if (k < nz && 32 * m + lane < 32 * R - 1)
        voxels[(static_cast<std::int64_t>(i) * to_voxel + slab * to_slab) * nz + k] += total[x][m];
    }
  }
}

}  // namespace

void find_columns(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                  int* first) {
  const int n = tiles(plan.size[1 - axis]);
  const dim3 grid(blocks(n, 128), static_cast<unsigned>(plan.size[axis]), static_cast<unsigned>(count));
  stream.launch("find columns", grid, dim3(128), 0, find, plan, Group{views, count, axis}, n, first);
}

template <class T>
void backproject_columns(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                         const int* first, const T* sums, T* voxels) {
  const int n = tiles(plan.size[1 - axis]);
  const auto run = [&]<int R>() {
    const dim3 grid(blocks(n, warps), static_cast<unsigned>(plan.size[axis]), blocks(plan.size[2], 32 * R - 1));
    stream.launch("backproject columns", grid, dim3(32, warps), 0, backproject<T, R>, plan, Group{views, count, axis},
                  n, first, sums, voxels);
  };
  switch (lanes_deep(plan.size[2])) {
    case 1:
      return run.template operator()<1>();
    case 2:
      return run.template operator()<2>();
    case 3:
      return run.template operator()<3>();
    default:
      return run.template operator()<4>();
  }
}

template void backproject_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const int*,
                                  const float*, float*);
template void backproject_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const int*,
                                  const double*, double*);

}  // namespace backlit::cuda
