#include "study/cuda/probes.hpp"

namespace backlit::cuda {
namespace {

constexpr int tile = 16;

/// Assigns pixels so that four threads fetch a square: texture units serve squares.
__device__ inline int2 pixel_of_thread() {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  return {static_cast<int>(blockIdx.x) * tile + (warp & 1) * 8 + ((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4)),
          static_cast<int>(blockIdx.y) * tile + (warp >> 1) * 4 + ((lane >> 1 & 1) | (lane >> 2 & 2))};
}

/// A start far from the borders, where fetches would cost less.
__device__ inline float2 start_of(const FetchProbe& p, int2 at) {
  const float inner = 0.8f * static_cast<float>(p.size), edge = 0.1f * static_cast<float>(p.size);
  return {edge + fmodf(p.between * static_cast<float>(at.x), inner),
          edge + fmodf(p.between * static_cast<float>(at.y), inner)};
}

__device__ inline float total(float v) { return v; }
__device__ inline float total(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ inline void add(float& a, float b) { a += b; }
__device__ inline void add(float4& a, const float4& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  a.w += b.w;
}

template <class T>
__global__ void __launch_bounds__(tile* tile) bilinear(__grid_constant__ const FetchProbe p) {
  const int2 at = pixel_of_thread();
  float2 position = start_of(p, at);
  T sum{};
#pragma unroll 16
  for (int n = 0; n < fetches_a_thread; ++n) {
    add(sum, tex2DLayered<T>(p.texture, position.x, position.y, n & 3));
    position.x += 0.125f;
    position.y += 0.125f;
  }
  p.sums[at.y * p.side + at.x] = total(sum);
}

__global__ void __launch_bounds__(tile* tile) trilinear(__grid_constant__ const FetchProbe p) {
  const int2 at = pixel_of_thread();
  float2 position = start_of(p, at);
  float z = 0.25f * static_cast<float>(p.size), sum = 0;
#pragma unroll 16
  for (int n = 0; n < fetches_a_thread; ++n) {
    sum += tex3D<float>(p.texture, position.x, position.y, z);
    z += 0.125f;
  }
  p.sums[at.y * p.side + at.x] = sum;
}

__global__ void filter(cudaTextureObject_t texture, int steps, float* values) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= steps) return;
  const float step = 1.0f / static_cast<float>(steps);
  values[y * steps + x] =
      tex2DLayered<float>(texture, 0.5f + step * static_cast<float>(x), 0.5f + step * static_cast<float>(y), 0);
}

__global__ void __launch_bounds__(tile* tile) multiply_add(int side, float* sums) {
  const int2 at = pixel_of_thread();
  float x[8];
  for (int c = 0; c < 8; ++c) x[c] = static_cast<float>(at.x + c);
  const float a = 0.99f + 1e-9f * static_cast<float>(at.y), b = 0.01f;
#pragma unroll 16
  for (int n = 0; n < fetches_a_thread; ++n)
    for (int c = 0; c < 8; ++c) x[c] = fmaf(x[c], a, b);
  float sum = 0;
  for (int c = 0; c < 8; ++c) sum += x[c];
  sums[at.y * side + at.x] = sum;
}

__device__ inline long long nanoseconds_now() {
  long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

__global__ void count_cycles(long long nanoseconds, long long* counts) {
  const long long start = nanoseconds_now(), cycles = clock64();
  long long now = start;
  while (now - start < nanoseconds) now = nanoseconds_now();
  counts[0] = clock64() - cycles;
  counts[1] = now - start;
}

dim3 squares(int side) { return {blocks(side, tile), blocks(side, tile)}; }

}  // namespace

void probe_bilinear(Stream& stream, const FetchProbe& p, int channels) {
  if (channels == 4)
    stream.launch("probe bilinear", squares(p.side), tile * tile, 0, bilinear<float4>, p);
  else
    stream.launch("probe bilinear", squares(p.side), tile * tile, 0, bilinear<float>, p);
}

void probe_trilinear(Stream& stream, const FetchProbe& p) {
  stream.launch("probe trilinear", squares(p.side), tile * tile, 0, trilinear, p);
}

void probe_filter(Stream& stream, cudaTextureObject_t texture, int steps, float* values) {
  stream.launch("probe filter", dim3(blocks(steps, 128), static_cast<unsigned>(steps)), 128, 0, filter, texture, steps,
                values);
}

void probe_fma(Stream& stream, int side, float* sums) {
  stream.launch("probe fma", squares(side), tile * tile, 0, multiply_add, side, sums);
}

void probe_clock(Stream& stream, long long nanoseconds, long long* counts) {
  stream.launch("probe clock", 1, 1, 0, count_cycles, nanoseconds, counts);
}

}  // namespace backlit::cuda
