#include <cstdint>
#include <type_traits>

#include "cuda/joseph/gather.hpp"
#include "cuda/joseph/path.cuh"
#include "cuda/shared/pixel.cuh"

namespace backlit::cuda {
namespace {

template <class Weighed>
__global__ void weigh(__grid_constant__ const ProjectionTask t, __grid_constant__ const GatherTask g,
                      bool rows_run_down, Weighed* __restrict__ weighed) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= t.columns || row >= t.rows) return;
  const int n = blockIdx.z;
  const ProjectedView& view = t.view[n];
  const int axis = static_cast<int>(g.ray[std::int64_t{g.item[n]} * g.columns + column].axis);
  const RayPath w = path_through(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)), axis);
  const float length = too_steep(w) ? 0.0f : w.length, value = length * *pixel_at(t, view, {column, row});
  Weighed& to = weighed[(std::int64_t{n} * t.rows + (rows_run_down ? t.rows - 1 - row : row)) * t.columns + column];
  if constexpr (std::is_same_v<Weighed, float2>)
    to = {value, length};
  else
    to = value;
}

/// Adds a gap's R rows to the sums of the voxels above and below it.
template <int K, int R, class Of>
__device__ void add_gap(float (&sum)[K], int k, float whole, float share, float per_row, Of&& of) {
  float all = of(0), numbered = 0;
#pragma unroll
  for (int n = 1; n < R; ++n) {
    all += of(n);
    numbered = n == 1 ? of(n) : fmaf(static_cast<float>(n), of(n), numbered);
  }
  float upper = share * all;
  if (R > 1) upper = fmaf(per_row, numbered, upper);
  if (k < K) sum[min(k, K - 1)] += upper;
  if (k > 0) sum[max(k - 1, 0)] += fmaf(whole, all, -upper);
}

/// Sums of K voxels on top of each other.
template <int K>
struct Sums {
  float of[K] = {};

  template <int R>
  __device__ void add(int k, float whole, float share, float per_row, const float (&row)[R]) {
    add_gap<K, R>(of, k, whole, share, per_row, [&](int n) { return row[n]; });
  }
};
/// The sums for views and for views of ones.
template <int K>
struct SumsAndShares {
  float of[K] = {}, shares[K] = {};

  template <int R>
  __device__ void add(int k, float whole, float share, float per_row, const float2 (&row)[R]) {
    add_gap<K, R>(of, k, whole, share, per_row, [&](int n) { return row[n].x; });
    add_gap<K, R>(shares, k, whole, share, per_row, [&](int n) { return row[n].y; });
  }
};

/// Adds all views' contributions to the voxel column whose lowest voxel is (i, j, first). There are at most R rows per
/// voxel (0: any number); far from the source they are fewer.
template <int K, int R, bool flat, bool parallel, class Weighed, class Sum>
__device__ inline void gather(const GatherTask& t, const Weighed* __restrict__ weighed, const GatheredVolume& out,
                              int i, int j, int first, Sum& sum) {
  const float x = static_cast<float>(i) - 0.5f * static_cast<float>(out.size[0] - 1);
  const float y = static_cast<float>(j) - 0.5f * static_cast<float>(out.size[1] - 1);
  const int columns = t.columns, rows = t.rows;
#pragma unroll 1
  for (int n = 0; n < t.views; ++n, weighed += std::int64_t{rows} * columns) {
    const int item = t.item[n];
    const ColumnRayView& view = t.view[item];
    const ColumnRay* const rays = t.ray + std::int64_t{item} * columns;
#pragma unroll 1
    for (int axis = 0; axis < 2; ++axis) {
      if (!(view.axes >> axis & 1u)) continue;
      const VoxelColumn column = voxel_column<flat, parallel>(view, axis, x, y, columns);
      const float per_along = parallel ? 1.0f : quick_reciprocal(column.along);
#pragma unroll 1
      for (int c = column.first; c <= column.last; ++c) {
        const float4 stored = *reinterpret_cast<const float4*>(rays + c);
        const ColumnShare s = column_share({stored.x, stored.y, stored.z, stored.w}, column, axis, per_along);
        if (s.share == 0) continue;
        const float row = fmaf(static_cast<float>(first - 1) - view.height, s.step, view.row);
        if (fmaf(K + 1, s.step, row) < static_cast<float>(-rows / 2 - 1) || row > static_cast<float>(rows)) continue;
        const auto add_rows = [&](auto most) {
          for_rows_between<K, decltype(most)::value>(
              row, s.step, s.share, rows, [&](int r) { return weighed[r * columns + c]; },
              [&](int k, float share, float per_row, const auto& values) {
                sum.add(k, s.share, share, per_row, values);
              });
        };
        if (R > 1 && s.step <= 1)
          add_rows(std::integral_constant<int, 1>());
        else if (R > 2 && s.step <= 2)
          add_rows(std::integral_constant<int, 2>());
        else
          add_rows(std::integral_constant<int, R>());
      }
    }
  }
}

/// The voxel column of a thread; false beside the volume.
template <int K>
__device__ inline bool find_column(const GatheredVolume& out, int& i, int& j, int& first) {
  const TilePlace place = tile_place();
  i = blockIdx.x * tile_width + place.x;
  j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  first = blockIdx.z * K;
  return i < out.size[0] && j < out.size[1];
}

template <int K, int R, bool flat, bool parallel>
__global__ void __launch_bounds__(256) gather(__grid_constant__ const GatherTask t, const float* __restrict__ weighed,
                                              __grid_constant__ const GatheredVolume out) {
  int i, j, first;
  if (!find_column<K>(out, i, j, first)) return;
  Sums<K> sum;
  gather<K, R, flat, parallel>(t, weighed, out, i, j, first, sum);
  const std::int64_t slice = std::int64_t{out.size[0]} * out.size[1];
  write_column<K>(out.voxels + first * slice + std::int64_t{j} * out.size[0] + i, slice, out.size[2] - first, sum.of,
                  1.0f, out.accumulate);
}

constexpr float least_share = 1e-6f;  ///< share of the longest path through a voxel; with less, a voxel counts as
                                      ///< unseen

template <int K, int R, bool flat, bool parallel>
__global__ void __launch_bounds__(256) relax(__grid_constant__ const GatherTask t, const float2* __restrict__ weighed,
                                             float factor, float least, __grid_constant__ const GatheredVolume out) {
  int i, j, first;
  if (!find_column<K>(out, i, j, first)) return;
  const std::int64_t slice = std::int64_t{out.size[0]} * out.size[1];
  float* const voxel = out.voxels + first * slice + std::int64_t{j} * out.size[0] + i;
  SumsAndShares<K> sum;
  gather<K, R, flat, parallel>(t, weighed, out, i, j, first, sum);
  float values[K];
  read_column<K>(voxel, slice, out.size[2] - first, values);
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (sum.shares[k] > least_share * t.longest) values[k] += factor * sum.of[k] / sum.shares[k];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    if (first + k >= out.size[2]) return;
    voxel[k * slice] = fmaxf(values[k], least);
  }
}

dim3 grid_of(const GatheredVolume& out, int block, int K) {
  return {blocks(out.size[0], tile_width), blocks(out.size[1], block / tile_width), blocks(out.size[2], K)};
}

template <int K, int R>
void start(Stream& stream, const GatherTask& t, const float* weighed, const GatheredVolume& out) {
  const auto run = [&](auto kernel) {
    stream.launch("gather columns", grid_of(out, 256, K), dim3(256), 0, kernel, t, weighed, out);
  };
  if (t.parallel)
    t.flat ? run(gather<K, R, true, true>) : run(gather<K, R, false, true>);
  else
    t.flat ? run(gather<K, R, true, false>) : run(gather<K, R, false, false>);
}

template <class Weighed>
void weigh_into(Stream& stream, const ProjectionTask& task, const GatherTask& g, bool rows_run_down, Weighed* weighed) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(task.columns, block.x), blocks(task.rows, block.y), static_cast<unsigned>(task.views));
  stream.launch("weigh views", grid, block, 0, weigh<Weighed>, task, g, rows_run_down, weighed);
}

}  // namespace

void weigh_views(Stream& stream, const ProjectionTask& task, const GatherTask& g, bool rows_run_down, float* weighed) {
  weigh_into(stream, task, g, rows_run_down, weighed);
}
void weigh_views(Stream& stream, const ProjectionTask& task, const GatherTask& g, bool rows_run_down, float2* weighed) {
  weigh_into(stream, task, g, rows_run_down, weighed);
}

void gather_columns(Stream& stream, const GatherTask& t, const float* weighed, const GatheredVolume& out) {
  if (out.size[2] < 4) return start<1, 0>(stream, t, weighed, out);
  switch (t.most_rows) {
    case 1:
      return start<24, 1>(stream, t, weighed, out);
    case 2:
      return start<16, 2>(stream, t, weighed, out);
    case 3:
      return start<16, 3>(stream, t, weighed, out);
    case 4:
      return start<16, 4>(stream, t, weighed, out);
    default:
      return start<16, 0>(stream, t, weighed, out);
  }
}

void relax_columns(Stream& stream, const GatherTask& t, const float2* weighed, float factor, float least,
                   const GatheredVolume& out) {
  constexpr int K = 8;
  const auto run = [&](auto kernel) {
    stream.launch("relax columns", grid_of(out, 256, K), dim3(256), 0, kernel, t, weighed, factor, least, out);
  };
  if (t.parallel)
    t.flat ? run(relax<K, 0, true, true>) : run(relax<K, 0, false, true>);
  else if (t.most_rows == 1)
    t.flat ? run(relax<K, 1, true, false>) : run(relax<K, 1, false, false>);
  else if (t.most_rows == 2)
    t.flat ? run(relax<K, 2, true, false>) : run(relax<K, 2, false, false>);
  else if (t.most_rows == 3)
    t.flat ? run(relax<K, 3, true, false>) : run(relax<K, 3, false, false>);
  else
    t.flat ? run(relax<K, 0, true, false>) : run(relax<K, 0, false, false>);
}

}  // namespace backlit::cuda
