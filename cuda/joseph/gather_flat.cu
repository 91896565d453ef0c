#include <cstdint>

#include "cuda/joseph/gather.hpp"
#include "cuda/joseph/path.cuh"
#include "cuda/shared/pixel.cuh"

namespace backlit::cuda {
namespace {

__global__ void weigh_flat_kernel(__grid_constant__ const ProjectionTask t, float* __restrict__ weighed) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= t.columns || row >= t.rows) return;
  const ProjectedView& view = t.view[blockIdx.z];
  const Ray<float> ray = make_ray(view.frame, static_cast<float>(column), static_cast<float>(row));
  // Every ray has the same length in all slabs of its own main axis.
  const float most = fmaxf(fmaxf(fabsf(ray.direction[0]), fabsf(ray.direction[1])), fabsf(ray.direction[2]));
  weighed[(std::int64_t{blockIdx.z} * t.rows + row) * t.columns + column] = *pixel_at(t, view, {column, row}) / most;
}

/// Contribution to a voxel of the rays of a view with this main axis.
template <int axis, bool parallel>
__device__ inline float gather_axis(const FlatView& view, const VoxelOnDetector& at, const float* __restrict__ image,
                                    int columns, int rows) {
  const PassingRays p = passing_rays<axis, parallel>(view, at);
  if (!p.any) return 0;
  const int first_column = static_cast<int>(ceilf(fminf(fmaxf(at.column - p.columns, 0.0f), 1e6f)));
  const int last_column = static_cast<int>(floorf(fmaxf(fminf(at.column + p.columns, columns - 1), -1.0f)));
  const int first_row = static_cast<int>(ceilf(fminf(fmaxf(at.row - p.rows, 0.0f), 1e6f)));
  const int last_row = static_cast<int>(floorf(fmaxf(fminf(at.row + p.rows, rows - 1), -1.0f)));
  float sum = 0;
#pragma unroll 1
  for (int row = first_row; row <= last_row; ++row) {
    const float down = static_cast<float>(row) - at.row;
    const float* const line = image + row * columns;
#pragma unroll 2
    for (int column = first_column; column <= last_column; ++column) {
      const float along = static_cast<float>(column) - at.column;
      float share = share_of(p, along, down);
      if (!p.all && !has_axis<axis>(view, at, along, down)) share = 0;
      sum = fmaf(share, line[column], sum);
    }
  }
  return sum;
}

template <bool parallel>
__global__ void __launch_bounds__(256)
    gather_flat_kernel(__grid_constant__ const FlatTask t, const float* __restrict__ weighed,
                       __grid_constant__ const GatheredVolume out) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  if (i >= out.size[0] || j >= out.size[1]) return;
  const float x = static_cast<float>(i) - 0.5f * static_cast<float>(out.size[0] - 1);
  const float y = static_cast<float>(j) - 0.5f * static_cast<float>(out.size[1] - 1);
  const float z = static_cast<float>(k) - 0.5f * static_cast<float>(out.size[2] - 1);
  float sum = 0;
#pragma unroll 1
  for (int n = 0; n < t.views; ++n, weighed += std::int64_t{t.rows} * t.columns) {
    const FlatView& view = t.view[t.item[n]];
    const VoxelOnDetector at = voxel_on_detector<parallel>(view, x, y, z);
    if (view.axes & 1u) sum += gather_axis<0, parallel>(view, at, weighed, t.columns, t.rows);
    if (view.axes & 2u) sum += gather_axis<1, parallel>(view, at, weighed, t.columns, t.rows);
    if (view.axes & 4u) sum += gather_axis<2, parallel>(view, at, weighed, t.columns, t.rows);
  }
  float& voxel = out.voxels[(std::int64_t{k} * out.size[1] + j) * out.size[0] + i];
  voxel = out.accumulate ? voxel + sum : sum;
}

}  // namespace

void weigh_flat(Stream& stream, const ProjectionTask& task, float* weighed) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(task.columns, block.x), blocks(task.rows, block.y), static_cast<unsigned>(task.views));
  stream.launch("weigh views", grid, block, 0, weigh_flat_kernel, task, weighed);
}

void gather_flat(Stream& stream, const FlatTask& t, const float* weighed, const GatheredVolume& out) {
  const dim3 grid(blocks(out.size[0], tile_width), blocks(out.size[1], 256 / tile_width),
                  static_cast<unsigned>(out.size[2]));
  stream.launch("gather flat", grid, dim3(256), 0, t.parallel ? gather_flat_kernel<true> : gather_flat_kernel<false>, t,
                weighed, out);
}

}  // namespace backlit::cuda
