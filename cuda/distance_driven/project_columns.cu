#include "distance_driven/kernels.hpp"
#include "distance_driven/lookup.cuh"

namespace backlit::cuda {
namespace {

constexpr int warps = 8;

/// What a column of cells sees of a slab: `count` voxels across the view, beginning with voxel column `first`.
template <class T>
struct alignas(16) Footprint {
  int first, count;
  T head, tail;  ///< shares of the first voxel and of the last one, over the cells' height
  T whole;       ///< of those between

  __device__ void put(const ColumnEdge<double>& left, const ColumnEdge<double>& right, const RowEdges<double>& column,
                      int slab, int across, int to_voxel, int to_slab) {
    const double s = slab, q0 = left.at(s), q1 = right.at(s), a = fmax(q0, 0.0), b = fmin(q1, double(across));
    const T share = T(1) / static_cast<T>((q1 - q0) * column.step_at(s));
    count = 0;
    first = 0;
    if (!(a < b)) return;
    const int i0 = min(static_cast<int>(a), across - 1), i1 = max(static_cast<int>(ceil(b)) - 1, i0);
    first = i0 * to_voxel + slab * to_slab;
    count = i1 - i0 + 1;
    head = static_cast<T>((count == 1 ? b : i0 + 1) - a) * share;
    tail = static_cast<T>(b - i1) * share;
    whole = share;
  }
};

/// A warp is 32 R edges of the rows of one column; rows between them are written.
template <class T, int R>
__global__ void __launch_bounds__(32 * warps)
    project(DistanceDrivenPlan plan, const SeenView* views, const T* sums, float* projections, bool accumulate) {
  __shared__ Footprint<T> footprints[warps][32];
  const int lane = threadIdx.x, c = blockIdx.x * warps + threadIdx.y;
  if (c >= plan.columns) return;
  const SeenView view = views[blockIdx.y];
  const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1) + c;
  const ColumnEdge<double> left = edges[0], right = edges[1];
  const RowEdges<double> column = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
  const int slabs = plan.slabs(view.axis), across = plan.across(view.axis), nz = plan.size[2];
  const int to_voxel = view.axis == 0 ? plan.size[0] : 1, to_slab = view.axis == 0 ? 1 : plan.size[0];
  const int first_row = blockIdx.z * (32 * R - 1);
  const T n = static_cast<T>(nz);

  T at[R], per_slab[R], total[R] = {};
#pragma unroll
  for (int m = 0; m < R; ++m) {
    const double r = min(first_row + 32 * m + lane, plan.rows), unit = Place<T>::unit(nz);
    at[m] = static_cast<T>(unit * (column.base + r * column.step));
    per_slab[m] = static_cast<T>(unit * (column.base_per_slab + r * column.step_per_slab));
  }
  Footprint<T>* mine = footprints[threadIdx.y];
  for (int start = 0; start < slabs; start += 32) {
    mine[lane].put(left, right, column, start + lane, across, to_voxel, to_slab);
    __syncwarp();
    T part[R] = {};
    const int end = min(32, slabs - start);
    for (int s = 0; s < end; ++s) {
      const Footprint<T> f = mine[s];
      if (f.count == 0) continue;
      const T* voxels = sums + static_cast<std::int64_t>(f.first) * (nz + 2);
      const std::int64_t next = static_cast<std::int64_t>(to_voxel) * (nz + 2);
      const T* last = voxels + (f.count - 1) * next;
#pragma unroll
      for (int m = 0; m < R; ++m) {
        const Place<T> place(at[m], per_slab[m], static_cast<T>(start + s), n);
        part[m] = fma(f.head, look_up(voxels, place), part[m]);
        if (f.count > 1) {
          part[m] = fma(f.tail, look_up(last, place), part[m]);
          for (int i = 1; i + 1 < f.count; ++i) part[m] = fma(f.whole, look_up(voxels + i * next, place), part[m]);
        }
      }
    }
    add_differences<T, R>(part, total);  // now and then, while sums are small
    __syncwarp();
  }
  float* image = projections + view.pixels + (view.reversed ? plan.columns - 1 - c : c);
#pragma unroll
  for (int m = 0; m < R; ++m) {
    const int row = first_row + 32 * m + lane;
    if (row >= plan.rows || 32 * m + lane == 32 * R - 1) continue;
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
    const dim3 grid(blocks(plan.columns, warps), static_cast<unsigned>(count), blocks(plan.rows, 32 * R - 1));
    stream.launch("project columns", grid, dim3(32, warps), 0, project<T, R>, plan, views, sums, projections,
                  accumulate);
  };
  switch (lanes_deep(plan.rows)) {
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

template void project_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, const float*, float*, bool);
template void project_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, const double*, float*, bool);

}  // namespace backlit::cuda
