#include <cstdint>

#include "cuda/joseph/gather.hpp"
#include "cuda/joseph/path.cuh"
#include "cuda/shared/pixel.cuh"

namespace backlit::cuda {
namespace {

__global__ void weigh_flat_kernel(__grid_constant__ const ProjectionTask t, float* __restrict__ weighed) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= flat_pitch(t.columns) || row >= t.rows) return;
  float& to = weighed[(std::int64_t{blockIdx.z} * t.rows + row) * flat_pitch(t.columns) + column];
  if (column >= t.columns) {
    to = 0;
    return;
  }
  const ProjectedView& view = t.view[blockIdx.z];
  const Ray<float> ray = make_ray(view.frame, static_cast<float>(column), static_cast<float>(row));
  // Every ray has the same length in all slabs of its own main axis.
  const float most = fmaxf(fmaxf(fabsf(ray.direction[0]), fabsf(ray.direction[1])), fabsf(ray.direction[2]));
  to = *pixel_at(t, view, {column, row}) / most;
}

/// Voxels along z that a thread has: they share what is worked out for a pixel in views along x and y. A voxel alone
/// takes half as long again where a voxel covers 2.5 x 2.5 pixels (`rabbit512s`).
constexpr int stack = 4;
constexpr float reach = 0.5f * (stack - 1);

/// Adds the contributions of the rays of a view with this main axis to `count` voxels along the slice's second axis, of
/// which `at` is the middle.
template <int axis, bool parallel, int count>
__device__ inline void gather_axis(const FlatView& view, const VoxelOnDetector& at, const float* __restrict__ image,
                                   int columns, int rows, float* sums) {
  constexpr float half = 0.5f * (count - 1);
  const PassingRays p = passing_rays<axis, parallel>(view, at, half);
  if (!p.any) return;
  const int first_column = static_cast<int>(ceilf(fminf(fmaxf(at.column - p.columns, 0.0f), 1e6f)));
  const int last_column = static_cast<int>(floorf(fmaxf(fminf(at.column + p.columns, columns - 1), -1.0f)));
  const int first_row = static_cast<int>(ceilf(fminf(fmaxf(at.row - p.rows, 0.0f), 1e6f)));
  const int last_row = static_cast<int>(floorf(fmaxf(fminf(at.row + p.rows, rows - 1), -1.0f)));
  for (int first = first_column; first <= last_column; first += flat_columns) {
    const float along = static_cast<float>(first) - at.column;
    const float* line = image + first_row * flat_pitch(columns) + first;
#pragma unroll 1
    for (int row = first_row; row <= last_row; ++row, line += flat_pitch(columns)) {
      const float down = static_cast<float>(row) - at.row;
#pragma unroll
      for (int c = 0; c < flat_columns; ++c) {
        const Passing q = passing(p, along, down, static_cast<float>(c));
        float value = share_at(q.u) * line[c];
        if (!p.all && !has_axis<axis>(view, at, along + static_cast<float>(c), down)) value = 0;
#pragma unroll
        for (int n = 0; n < count; ++n) sums[n] = fmaf(share_at(q.v - (static_cast<float>(n) - half)), value, sums[n]);
      }
    }
  }
}

template <bool parallel>
__global__ void __launch_bounds__(256)
    gather_flat_kernel(__grid_constant__ const FlatTask t, const float* __restrict__ weighed,
                       __grid_constant__ const GatheredVolume out) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z * stack;
  if (i >= out.size[0] || j >= out.size[1]) return;
  const float x = static_cast<float>(i) - 0.5f * static_cast<float>(out.size[0] - 1);
  const float y = static_cast<float>(j) - 0.5f * static_cast<float>(out.size[1] - 1);
  const float z = static_cast<float>(k) + reach - 0.5f * static_cast<float>(out.size[2] - 1);
  float sums[stack] = {};
#pragma unroll 1
  for (int n = 0; n < t.views; ++n, weighed += std::int64_t{t.rows} * flat_pitch(t.columns)) {
    const FlatView& view = t.view[t.item[n]];
    const VoxelOnDetector at = voxel_on_detector<parallel>(view, x, y, z);
    if (view.axes & 1u) gather_axis<0, parallel, stack>(view, at, weighed, t.columns, t.rows, sums);
    if (view.axes & 2u) gather_axis<1, parallel, stack>(view, at, weighed, t.columns, t.rows, sums);
    if (view.axes & 4u)
#pragma unroll
      for (int s = 0; s < stack; ++s) {
        const VoxelOnDetector one = voxel_on_detector<parallel>(view, x, y, z - reach + static_cast<float>(s));
        gather_axis<2, parallel, 1>(view, one, weighed, t.columns, t.rows, sums + s);
      }
  }
  for (int s = 0; s < min(stack, out.size[2] - k); ++s) {
    float& voxel = out.voxels[(std::int64_t{k + s} * out.size[1] + j) * out.size[0] + i];
    voxel = out.accumulate ? voxel + sums[s] : sums[s];
  }
}

}  // namespace

void weigh_flat(Stream& stream, const ProjectionTask& task, float* weighed) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(flat_pitch(task.columns), block.x), blocks(task.rows, block.y),
                  static_cast<unsigned>(task.views));
  stream.launch("weigh views", grid, block, 0, weigh_flat_kernel, task, weighed);
}

void gather_flat(Stream& stream, const FlatTask& t, const float* weighed, const GatheredVolume& out) {
  const dim3 grid(blocks(out.size[0], tile_width), blocks(out.size[1], 256 / tile_width), blocks(out.size[2], stack));
  stream.launch("gather flat", grid, dim3(256), 0, t.parallel ? gather_flat_kernel<true> : gather_flat_kernel<false>, t,
                weighed, out);
}

}  // namespace backlit::cuda
