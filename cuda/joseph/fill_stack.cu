#include <cstdint>

#include "cuda/device/layered_store.cuh"
#include "cuda/joseph/kernels.hpp"

namespace backlit::cuda {
namespace {

struct Slab {
  int size[3];
  int axis, first, count;
};

// Threads write several neighbouring texels at once: the number of writes, not their bytes, limits the copies.

/// Slices along y or z: a layer's rows are rows of the volume. `aligned`: four values of it can be read at once.
template <Texel T, bool aligned>
__global__ void copy_rows(const float* __restrict__ volume, __grid_constant__ const Slab s, cudaSurfaceObject_t target,
                          const float* unit) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), row = blockIdx.y * blockDim.y + threadIdx.y,
            layer = blockIdx.z;
  if (x >= s.size[0] || row >= s.size[s.axis == 1 ? 2 : 1]) return;
  const int j = s.axis == 1 ? s.first + layer : row, k = s.axis == 1 ? row : s.first + layer;
  const float* from = volume + (std::int64_t{k} * s.size[1] + j) * s.size[0] + x;
  const int count = min(4, s.size[0] - x);
  float4 v{};
  if constexpr (aligned)
    v = __ldg(reinterpret_cast<const float4*>(from));
  else
    v = {__ldg(from), count > 1 ? __ldg(from + 1) : 0, count > 2 ? __ldg(from + 2) : 0,
         count > 3 ? __ldg(from + 3) : 0};
  store_row<T>(target, v, count, 1.0f / *unit, x, row, layer);
}

constexpr int tile = 32, tile_rows = 8, threads = tile * tile_rows;

/// Slices along x: a layer's rows are columns of the volume. A block copies a tile of 32 layers x 32 texels by way of
/// shared memory.
template <Texel T>
__global__ void __launch_bounds__(threads)
    copy_columns(const float* __restrict__ volume, __grid_constant__ const Slab s, cudaSurfaceObject_t target,
                 const float* unit) {
  __shared__ float turned[tile][tile + 1];
  const int k = blockIdx.z, layer0 = blockIdx.x * tile, j0 = blockIdx.y * tile;
  const float* slice = volume + std::int64_t{k} * s.size[1] * s.size[0] + s.first + layer0;
  const int x = threadIdx.x % tile, y = threadIdx.x / tile;
#pragma unroll
  for (int j = y; j < tile; j += tile_rows)
    turned[j][x] = layer0 + x < s.count && j0 + j < s.size[1] ? __ldg(slice + std::int64_t{j0 + j} * s.size[0] + x) : 0;
  __syncthreads();
  const int layer = threadIdx.x / 8, j = 4 * (threadIdx.x % 8);
  if (layer0 + layer >= s.count || j0 + j >= s.size[1]) return;
  const float4 v = {turned[j][layer], turned[j + 1][layer], turned[j + 2][layer], turned[j + 3][layer]};
  store_row<T>(target, v, min(4, s.size[1] - j0 - j), 1.0f / *unit, j0 + j, k, layer0 + layer);
}

/// A block copies a tile of 32 layers x 32 texels. Neighbouring threads write neighbouring texels of a layer. Two of a
/// texel's four voxels are neighbours in that order, too, and are read at once. The other two are neighbours across
/// layers, and go through shared memory.
template <Texel T>
__global__ void __launch_bounds__(threads) copy_orbits(const float* __restrict__ volume, int n, int first, int count,
                                                       cudaSurfaceObject_t target, const float* unit) {
  __shared__ float2 turned[tile][tile + 1];
  const int k = blockIdx.z, layer0 = blockIdx.x * tile, j0 = blockIdx.y * tile;
  const float* slice = volume + std::int64_t{k} * n * n;
  const auto at = [&](int x, int y) { return __ldg(slice + std::int64_t{y} * n + x); };
  for (int row = threadIdx.y; row < tile; row += tile_rows) {
    const int i = first + layer0 + threadIdx.x, j = j0 + row;
    if (layer0 + static_cast<int>(threadIdx.x) < count && j < n)
      turned[row][threadIdx.x] = {at(i, j), at(n - 1 - i, n - 1 - j)};
  }
  __syncthreads();
  const float scale = 1.0f / *unit;
  for (int row = threadIdx.y; row < tile; row += tile_rows) {
    const int layer = layer0 + row, i = first + layer, j = j0 + threadIdx.x;
    if (layer >= count || j >= n) break;
    const float2 along = turned[threadIdx.x][row];
    store<T>(target, float4{along.x, at(n - 1 - j, i), along.y, at(j, n - 1 - i)}, scale, j, k, layer);
  }
}

}  // namespace

void fill_stack(Stream& stream, const float* volume, const int (&size)[3], int axis, int first, int count,
                const LayeredTextures& target) {
  const Slab slab{{size[0], size[1], size[2]}, axis, first, count};
  const auto run = [&](const dim3& grid, const dim3& block, auto kernel) {
    stream.launch("fill stack", grid, block, 0, kernel, volume, slab, target.surface(0), target.unit());
  };
  const bool half = is_half(target.texel());
  if (axis == 0) {
    const dim3 grid(blocks(count, tile), blocks(size[1], tile), static_cast<unsigned>(size[2]));
    return run(grid, dim3(threads), half ? copy_columns<Texel::r16f> : copy_columns<Texel::r32f>);
  }
  const dim3 block(32, 8);
  const dim3 grid(blocks(size[0], 4 * block.x), blocks(axis == 1 ? size[2] : size[1], block.y),
                  static_cast<unsigned>(count));
  const bool aligned = size[0] % 4 == 0 && reinterpret_cast<std::uintptr_t>(volume) % sizeof(float4) == 0;
  if (half)
    run(grid, block, aligned ? copy_rows<Texel::r16f, true> : copy_rows<Texel::r16f, false>);
  else
    run(grid, block, aligned ? copy_rows<Texel::r32f, true> : copy_rows<Texel::r32f, false>);
}

void fill_orbit_stack(Stream& stream, const float* volume, int n, int nz, int first, int count,
                      const LayeredTextures& target) {
  const dim3 grid(blocks(count, tile), blocks(n, tile), static_cast<unsigned>(nz));
  const auto run = [&](auto kernel) {
    stream.launch("fill orbit stack", grid, dim3(tile, tile_rows), 0, kernel, volume, n, first, count,
                  target.surface(0), target.unit());
  };
  is_half(target.texel()) ? run(copy_orbits<Texel::rgba16f>) : run(copy_orbits<Texel::rgba32f>);
}

}  // namespace backlit::cuda
