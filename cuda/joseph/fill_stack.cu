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

template <Texel T>
__global__ void copy_orbits(const float* __restrict__ volume, int n, int first, int count, cudaSurfaceObject_t target,
                            const float* unit) {
  const int layer = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z;
  if (layer >= count || j >= n) return;
  const int i = first + layer;
  const float* slice = volume + std::int64_t{k} * n * n;
  const auto at = [&](int x, int y) { return slice[std::int64_t{y} * n + x]; };
  store<T>(target, float4{at(i, j), at(n - 1 - j, i), at(n - 1 - i, n - 1 - j), at(j, n - 1 - i)}, 1.0f / *unit, j, k,
           layer);
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
  const dim3 block(16, 16);
  const dim3 grid(blocks(count, block.x), blocks(n, block.y), static_cast<unsigned>(nz));
  const auto run = [&](auto kernel) {
    stream.launch("fill orbit stack", grid, block, 0, kernel, volume, n, first, count, target.surface(0),
                  target.unit());
  };
  is_half(target.texel()) ? run(copy_orbits<Texel::rgba16f>) : run(copy_orbits<Texel::rgba32f>);
}

}  // namespace backlit::cuda
