#include <cstdint>

#include "cuda/device/layered_store.cuh"
#include "cuda/joseph/kernels.hpp"

namespace backlit::cuda {
namespace {

struct Slab {
  int size[3];
  int axis, first, count;
};

/// One thread per texel. Along x the threads of a warp go through layers, so that they read neighbours.
template <Texel T>
__global__ void copy_slices(const float* __restrict__ volume, __grid_constant__ const Slab s,
                            cudaSurfaceObject_t target, const float* unit) {
  const int fast = blockIdx.x * blockDim.x + threadIdx.x;
  const int middle = blockIdx.y * blockDim.y + threadIdx.y;
  const int slow = blockIdx.z;
  int i, j, k;
  if (s.axis == 0) {
    i = s.first + fast, j = middle, k = slow;
    if (fast >= s.count || j >= s.size[1]) return;
  } else {
    i = fast, j = s.axis == 1 ? s.first + slow : middle, k = s.axis == 1 ? middle : s.first + slow;
    if (i >= s.size[0] || middle >= s.size[s.axis == 1 ? 2 : 1]) return;
  }
  const float value = volume[(std::int64_t{k} * s.size[1] + j) * s.size[0] + i];
  const int layer = (s.axis == 0 ? i : s.axis == 1 ? j : k) - s.first;
  store<T>(target, value, 1.0f / *unit, s.axis == 0 ? j : i, s.axis == 2 ? j : k, layer);
}

constexpr int tile = 32, tile_rows = 8;

/// A block copies a tile of 32 layers x 32 texels. Neighbouring threads write neighbouring texels of a layer. Two of a
/// texel's four voxels are neighbours in that order, too, and are read at once. The other two are neighbours across
/// layers, and go through shared memory.
template <Texel T>
__global__ void __launch_bounds__(tile* tile_rows)
    copy_orbits(const float* __restrict__ volume, int n, int first, int count, cudaSurfaceObject_t target,
                const float* unit) {
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
  const dim3 block = axis == 0 ? dim3(16, 16) : dim3(64, 4);
  const int extent[3] = {axis == 0 ? count : size[0], axis == 1 ? size[2] : size[1], axis == 0 ? size[2] : count};
  const dim3 grid(blocks(extent[0], block.x), blocks(extent[1], block.y), static_cast<unsigned>(extent[2]));
  const auto run = [&](auto kernel) {
    stream.launch("fill stack", grid, block, 0, kernel, volume, slab, target.surface(0), target.unit());
  };
  is_half(target.texel()) ? run(copy_slices<Texel::r16f>) : run(copy_slices<Texel::r32f>);
}

void fill_orbit_stack(Stream& stream, const float* volume, int n, int nz, int first, int count,
                      const LayeredTextures& target) {
  const dim3 block(tile, tile_rows);
  const dim3 grid(blocks(count, tile), blocks(n, tile), static_cast<unsigned>(nz));
  const auto run = [&](auto kernel) {
    stream.launch("fill orbit stack", grid, block, 0, kernel, volume, n, first, count, target.surface(0),
                  target.unit());
  };
  is_half(target.texel()) ? run(copy_orbits<Texel::rgba16f>) : run(copy_orbits<Texel::rgba32f>);
}

}  // namespace backlit::cuda
