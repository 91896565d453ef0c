#include "cuda/raycast/raycast.hpp"

#include <cuda_fp16.h>

#include <cstdint>

#include "cuda/shared/pixel.cuh"
#include "projectors/raycast/samples.hpp"
#include "projectors/shared/pixel_box.hpp"

namespace backlit::cuda {
namespace {

__device__ inline RaySamples<float> samples_of(const RaycastTask& task, const ProjectedView& view, int column,
                                               int row) {
  const std::int64_t size[3] = {task.rays.size[0], task.rays.size[1], task.rays.size[2]};
  return ray_samples(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)), size, task.step);
}

__global__ void __launch_bounds__(256)
    fetch(__grid_constant__ const RaycastTask task, cudaTextureObject_t texture, const float* unit, bool accumulate) {
  Pixel p;
  if (!pixel_of_thread(task.rays, p)) return;
  const int end = min(task.rays.views, static_cast<int>(blockIdx.z + 1) * task.rays.views_per_block);
  for (int n = blockIdx.z * task.rays.views_per_block; n < end; ++n) {
    const ProjectedView& view = task.rays.view[n];
    const RaySamples<float> s = samples_of(task, view, p.column, p.row);
    const int last_sample = s.count > 0 ? static_cast<int>(s.count) : -1;
    const auto sample = [&](int k) {
      const auto texel = [&](int i) { return fmaf(static_cast<float>(k), s.step[i], s.point[i]) + 0.5f; };
      return tex3D<float>(texture, texel(0), texel(1), texel(2));
    };
    float sum = 0;
    if (last_sample > 0) sum -= 0.5f * (sample(0) + sample(last_sample));
#pragma unroll 8
    for (int k = 0; k <= last_sample; ++k) sum += sample(k);
    float* pixel = pixel_at(task.rays, view, p);
    const float value = sum * s.length * *unit;
    *pixel = accumulate ? *pixel + value : value;
  }
}

__global__ void __launch_bounds__(256)
    exact(__grid_constant__ const RaycastTask task, const float* __restrict__ volume, bool accumulate) {
  Pixel p;
  if (!pixel_of_thread(task.rays, p)) return;
  const ProjectedView& view = task.rays.view[blockIdx.z];
  const float value = sum_samples(samples_of(task, view, p.column, p.row), volume, whole_box(task.rays));
  float* pixel = pixel_at(task.rays, view, p);
  *pixel = accumulate ? *pixel + value : value;
}

__global__ void fill_samples(__grid_constant__ const RaycastTask task, __grid_constant__ const SampleTable table,
                             int first) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const ProjectionTask& t = task.rays;
  if (column >= t.columns || row >= t.rows) return;
  const RaySamples<float> s = samples_of(task, t.view[first + blockIdx.z], column, row);
  const std::int64_t at = (std::int64_t{blockIdx.z} * t.rows + row) * t.columns + column;
  table.point[at] = {s.point[0], s.point[1], s.point[2], s.length};
  table.step[at] = {s.step[0], s.step[1], s.step[2], static_cast<float>(s.count)};
}

__global__ void __launch_bounds__(256)
    transpose(__grid_constant__ const RaycastTask task, __grid_constant__ const SampleTable table, int first, int count,
              float* volume, bool accumulate) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  const ProjectionTask& t = task.rays;
  if (i >= t.size[0] || j >= t.size[1]) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(k);
  float sum = 0;
  for (int n = 0; n < count; ++n) {
    const ProjectedView& view = t.view[first + n];
    const PixelBox box = pixels_around(view.map, t.columns, t.rows, x, y, z);
    for (int row = box.first_row; row <= box.last_row; ++row)
      for (int column = box.first_column; column <= box.last_column; ++column) {
        const std::int64_t pixel = std::int64_t{row} * t.columns + column;
        const std::int64_t at = std::int64_t{n} * t.rows * t.columns + pixel;
        const float4 p = table.point[at], d = table.step[at];
        const RaySamples<float> s{{p.x, p.y, p.z}, {d.x, d.y, d.z}, p.w, static_cast<std::int64_t>(d.w)};
        sum = fmaf(share_of_voxel(s, x, y, z), t.projections[view.slot[0] + pixel], sum);
      }
  }
  float& voxel = volume[(std::int64_t{k} * t.size[1] + j) * t.size[0] + i];
  voxel = accumulate ? voxel + sum : sum;
}

template <bool half>
__global__ void copy_texels(const float* __restrict__ volume, int nx, int ny, cudaSurfaceObject_t target,
                            const float* unit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny) return;
  const float value = volume[(std::int64_t{k} * ny + j) * nx + i];
  if constexpr (half)
    surf3Dwrite(__half_as_ushort(__float2half_rn(value / *unit)), target, i * int{sizeof(__half)}, j, k);
  else
    surf3Dwrite(value, target, i * int{sizeof(float)}, j, k);
}

dim3 ray_grid(const ProjectionTask& t, int views_per_block) {
  return {blocks(t.columns, tile_width), blocks(t.rows, 256 / tile_width), blocks(t.views, views_per_block)};
}

}  // namespace

void project_raycast(Stream& stream, const RaycastTask& task, cudaTextureObject_t texture, const float* unit,
                     bool accumulate) {
  stream.launch("raycast", ray_grid(task.rays, task.rays.views_per_block), dim3(256), 0, fetch, task, texture, unit,
                accumulate);
}

void project_raycast_exact(Stream& stream, const RaycastTask& task, const float* volume, bool accumulate) {
  stream.launch("raycast exact", ray_grid(task.rays, 1), dim3(256), 0, exact, task, volume, accumulate);
}

void backproject_raycast(Stream& stream, const RaycastTask& task, const SampleTable& table, float* volume,
                         bool accumulate) {
  const ProjectionTask& t = task.rays;
  const dim3 rays(32, 8);
  const dim3 grid(blocks(t.size[0], tile_width), blocks(t.size[1], 256 / tile_width), static_cast<unsigned>(t.size[2]));
  for (int first = 0; first < t.views; first += table.views) {
    const int count = min(table.views, t.views - first);
    const dim3 pixels(blocks(t.columns, rays.x), blocks(t.rows, rays.y), static_cast<unsigned>(count));
    stream.launch("samples of rays", pixels, rays, 0, fill_samples, task, table, first);
    stream.launch("raycast transpose", grid, dim3(256), 0, transpose, task, table, first, count, volume,
                  accumulate || first > 0);
  }
}

void fill_texture3d(Stream& stream, const float* volume, const int (&size)[3], cudaSurfaceObject_t target,
                    const float* unit, bool half) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(size[0], block.x), blocks(size[1], block.y), static_cast<unsigned>(size[2]));
  stream.launch("fill 3-D texture", grid, block, 0, half ? copy_texels<true> : copy_texels<false>, volume, size[0],
                size[1], target, unit);
}

}  // namespace backlit::cuda
