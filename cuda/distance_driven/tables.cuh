// Sums along lines: definitions for kernels.hpp, instantiated for float here, and for double by a study.
#pragma once

#include <cub/warp/warp_scan.cuh>

#include "cuda/distance_driven/kernels.hpp"

namespace backlit::cuda {
namespace {

constexpr int side = 32, scan_warps = 8;

/// Lines of `n` entries, with `between` values from entry to entry; lines are neighbours in memory.
struct Lines {
  int count, n;
  std::int64_t between;
};

/// Sums along the lines of one image, n + 2 for each line, one after another. A warp scans a line in double, 32 entries
/// at a time. Entry i of line l has the value value_of(l, i, input); the line's sums go to line place(l). For each
/// entry i of a tile, a thread calls before_tile(i) before value_of().
template <class In, class T, class Tile, class Value, class Place>
__device__ void sum_lines(const Lines& lines, const In* in, T* out, Tile before_tile, Value value_of, Place place) {
  constexpr int each = side / scan_warps;
  __shared__ In part[side][side + 1];
  __shared__ typename cub::WarpScan<double>::TempStorage scratch[scan_warps];
  const int lane = threadIdx.x, warp = threadIdx.y, first = blockIdx.x * side;
  double before[each] = {};
  for (int start = 0; start < lines.n; start += side) {
    for (int i = warp; i < side; i += scan_warps)
      if (first + lane < lines.count && start + i < lines.n)
        part[i][lane] = in[(start + i) * lines.between + first + lane];
    if (warp == 0 && start + lane < lines.n) before_tile(start + lane);
    __syncthreads();
    for (int l = 0; l < each; ++l) {
      const int line = first + warp + l * scan_warps, i = start + lane;
      if (line >= lines.count) break;
      const double value = i < lines.n ? value_of(line, i, static_cast<double>(part[lane][line - first])) : 0.0;
      double sum, total;
      cub::WarpScan<double>(scratch[warp]).InclusiveSum(value, sum, total);
      __syncwarp();
      T* to = out + static_cast<std::int64_t>(place(line)) * (lines.n + 2);
      if (i < lines.n) to[i + 1] = static_cast<T>(before[l] + sum);
      before[l] += total;
      if (lane == 0 && start == 0) to[0] = static_cast<T>(0.0);
      if (lane == 0 && start + side >= lines.n) to[lines.n + 1] = static_cast<T>(before[l]);
    }
    __syncthreads();
  }
}

template <class T>
__global__ void __launch_bounds__(side* scan_warps)
    scan_slices(DistanceDrivenPlan plan, const float* volume, float mean, T* sums) {
  const std::int64_t nx = plan.size[0], ny = plan.size[1], nz = plan.size[2], y = blockIdx.y;
  sum_lines(
      {plan.size[0], plan.size[2], nx * ny}, volume + y * nx, sums + y * nx * (nz + 2), [](int) {},
      [=](int, int, double v) { return v - mean; }, [](int line) { return line; });
}

template <class T>
__global__ void __launch_bounds__(side* scan_warps)
    scan_rows(DistanceDrivenPlan plan, const SeenView* views, const float* projections, float mean, T* sums) {
  const SeenView view = views[blockIdx.y];
  const RowEdges<double>* cells = plan.cells + static_cast<std::int64_t>(view.view) * plan.columns;
  const int last = plan.columns - 1;
  const auto place = [=](int line) { return view.reversed ? last - line : line; };
  sum_lines(
      {plan.columns, plan.rows, plan.columns}, projections + view.pixels,
      sums + static_cast<std::int64_t>(blockIdx.y) * plan.columns * (plan.rows + 2), [](int) {},
      [=](int line, int row, double v) { return v * cells[place(line)].length(row) - mean; }, place);
}

template <class T>
__global__ void __launch_bounds__(side* scan_warps)
    turn(DistanceDrivenPlan plan, const T* voxels, float* volume, bool accumulate) {
  __shared__ T part[side][side + 1];
  const int nx = plan.size[0], ny = plan.size[1], nz = plan.size[2], y = blockIdx.y;
  const int lane = threadIdx.x, x0 = blockIdx.x * side, z0 = blockIdx.z * side;
  for (int i = threadIdx.y; i < side; i += scan_warps)
    if (x0 + i < nx && z0 + lane < nz)
      part[i][lane] = voxels[(static_cast<std::int64_t>(y) * nx + x0 + i) * nz + z0 + lane];
  __syncthreads();
  for (int i = threadIdx.y; i < side; i += scan_warps)
    if (x0 + lane < nx && z0 + i < nz) {
      float& value = volume[(static_cast<std::int64_t>(z0 + i) * ny + y) * nx + x0 + lane];
      value = static_cast<float>(part[lane][i] + (accumulate ? value : T(0)));
    }
}

const dim3 block(side, scan_warps);

}  // namespace

template <class T>
void sum_slices(Stream& stream, const DistanceDrivenPlan& plan, const float* volume, float mean, T* sums) {
  stream.launch("sum slices", dim3(blocks(plan.size[0], side), static_cast<unsigned>(plan.size[1])), block, 0,
                scan_slices<T>, plan, volume, mean, sums);
}

template <class T>
void sum_rows(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count,
              const float* projections, float mean, T* sums) {
  stream.launch("sum rows", dim3(blocks(plan.columns, side), static_cast<unsigned>(count)), block, 0, scan_rows<T>,
                plan, views, projections, mean, sums);
}

template <class T>
void turn_columns(Stream& stream, const DistanceDrivenPlan& plan, const T* voxels, float* volume, bool accumulate) {
  stream.launch("turn columns",
                dim3(blocks(plan.size[0], side), static_cast<unsigned>(plan.size[1]), blocks(plan.size[2], side)),
                block, 0, turn<T>, plan, voxels, volume, accumulate);
}

}  // namespace backlit::cuda
