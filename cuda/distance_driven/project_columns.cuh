// Definitions for kernels.hpp: instantiated for float here, and for double by a study.
#pragma once

#include "cuda/distance_driven/kernels.hpp"
#include "cuda/distance_driven/lookup.cuh"

namespace backlit::cuda {
namespace {

/// Footprint of a column of cells on a slab: `count` neighbouring voxel columns and their weights.
template <class T>
struct alignas(16) Footprint {
  const T *first, *last;
  T head, tail;  ///< weights of the first and the last one, divided by the cells' height
  T whole;       ///< weight of those between
  int count;

  /// `sums`: of the slab's first voxel column; `next`: values from one column to the next.
  __device__ Footprint(const ColumnEdge<double>& left, const ColumnEdge<double>& right, const RowEdges<double>& column,
                       int slab, int across, const T* sums, std::int64_t next) {
    const double s = slab, q0 = left.at(s), q1 = right.at(s), a = fmax(q0, 0.0), b = fmin(q1, double(across));
    const int i0 = min(static_cast<int>(a), across - 1), i1 = max(static_cast<int>(ceil(b)) - 1, i0);
    whole = T(1) / static_cast<T>((q1 - q0) * column.step_at(s));
    count = a < b ? i1 - i0 + 1 : 0;
    head = count == 0 ? 0 : static_cast<T>((count == 1 ? b : i0 + 1) - a) * whole;
    tail = count < 2 ? 0 : static_cast<T>(b - i1) * whole;
    first = sums + i0 * next;
    last = sums + i1 * next;
  }
};

/// Blocks per multiprocessor: many, because latency is the limit; a few spilled registers cost less (measured).
template <class T>
constexpr int projecting_blocks(int deep) {
  return sizeof(T) == 8 ? 2 : deep <= 2 ? 6 : 3;
}

/// A warp makes 32 R rows of one column. Lanes hold the lower edges of these rows. The last row's upper edge is looked
/// up by the lanes, each for a slab.
template <class T, int R>
__global__ void __launch_bounds__(32 * warps, projecting_blocks<T>(R))
    project(DistanceDrivenPlan plan, const SeenView* views, const T* sums, float* projections, bool accumulate) {
  __shared__ alignas(16) unsigned char footprints[warps][32 * sizeof(Footprint<T>)];
  const int lane = threadIdx.x, c = blockIdx.x * warps + threadIdx.y;
  if (c >= plan.columns) return;
  const SeenView view = views[blockIdx.y];
  const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1) + c;
  const ColumnEdge<double> left = edges[0], right = edges[1];
  const RowEdges<double> column = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
  const int slabs = plan.slabs(view.axis), across = plan.across(view.axis), nz = plan.size[2];
  const int to_voxel = view.axis == 0 ? plan.size[0] : 1, to_slab = view.axis == 0 ? 1 : plan.size[0];
  const int first_row = blockIdx.z * 32 * R;
  const std::int64_t line = nz + 2, next = to_voxel * line;
  const T n = static_cast<T>(nz);
  constexpr std::uint32_t start_of_line = 0u - Place<T>::zero;
  const double unit = Place<T>::unit(nz);
  const auto at_first = [&](int row) { return static_cast<T>(unit * (column.base + row * column.step)); };
  const auto per_slab = [&](int row) {
    return static_cast<T>(unit * (column.base_per_slab + row * column.step_per_slab));
  };
  const int end_row = min(first_row + 32 * R, plan.rows);
  const T at_end = at_first(end_row), end_per_slab = per_slab(end_row);
  T at[R], moves[R], total[R] = {};
#pragma unroll
  for (int m = 0; m < R; ++m) {
    const int row = min(first_row + 32 * m + lane, plan.rows);
    at[m] = at_first(row);
    moves[m] = per_slab(row);
  }
  auto* mine = reinterpret_cast<Footprint<T>*>(footprints[threadIdx.y]);
  for (int start = 0; start < slabs; start += 32) {
    T end = 0;
    int voxels_across = 0;
    if (start + lane < slabs) {
      const Footprint<T> f(left, right, column, start + lane, across, sums + (start + lane) * to_slab * line, next);
      mine[lane] = f;
      voxels_across = f.count;
      const Place<T> place(at_end, end_per_slab, static_cast<T>(start + lane), n);
      const T* voxels = f.first;
#pragma unroll 1
      for (int i = 0; i < f.count; ++i, voxels += next)
        end = fma(i == 0 ? f.head : i + 1 == f.count ? f.tail : f.whole, look_up(voxels, start_of_line, place), end);
    }
    if (!__any_sync(~0u, voxels_across > 0)) continue;
    const bool narrow = __all_sync(~0u, voxels_across <= 2);
    __syncwarp();
    T part[R] = {};
    const int count = min(32, slabs - start);
    const auto add = [&](const Footprint<T>& f, int s, bool between) {
      Place<T> place[R];
#pragma unroll
      for (int m = 0; m < R; ++m) place[m] = Place<T>(at[m], moves[m], static_cast<T>(start + s), n);
      const auto weigh = [&](const Neighbours<T, R>& n, T weight) {
#pragma unroll
        for (int m = 0; m < R; ++m) part[m] = fma(weight, n.at(place, m), part[m]);
      };
      const Neighbours<T, R> head(f.first, start_of_line, place), tail(f.last, start_of_line, place);
      weigh(head, f.head);
      weigh(tail, f.tail);
      if (!between) return;
#pragma unroll 1
      for (const T* voxels = f.first + next; voxels < f.last; voxels += next)
        weigh(Neighbours<T, R>(voxels, start_of_line, place), f.whole);
    };
    if (narrow) {  // two voxels at most: no branches
#pragma unroll 2
      for (int s = 0; s < count; ++s) add(mine[s], s, false);
    } else {
#pragma unroll 1
      for (int s = 0; s < count; ++s) add(mine[s], s, true);
    }
    add_differences<T, R>(part, warp_sum(end), total);  // from time to time, while sums are small
    __syncwarp();
  }
  float* image = projections + view.pixels + (view.reversed ? plan.columns - 1 - c : c);
#pragma unroll
  for (int m = 0; m < R; ++m) {
    const int row = first_row + 32 * m + lane;
    if (row >= plan.rows) continue;
    float& value = image[static_cast<std::int64_t>(row) * plan.columns];
    const T sum = total[m] * static_cast<T>(column.length(row));
    value = static_cast<float>(accumulate ? value + sum : sum);
  }
}

}  // namespace

template <class T>
void project_columns(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, const T* sums,
                     float* projections, bool accumulate) {
  const auto run = [&]<int R>() {
    const dim3 grid(blocks(plan.columns, warps), static_cast<unsigned>(count), blocks(plan.rows, 32 * R));
    stream.launch("project columns", grid, dim3(32, warps), 0, project<T, R>, plan, views, sums, projections,
                  accumulate);
  };
  with_lanes(plan.rows, run);
}

}  // namespace backlit::cuda
