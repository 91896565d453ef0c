// Common device functions of the backprojection kernels.
#pragma once

#include <cuda_runtime.h>

#include "cuda/voxel_driven/kernels.hpp"
#include "projectors/shared/bilinear.hpp"

namespace backlit::cuda {

/// 1 / x in one instruction, with an error of at most 1 ulp; the exact one takes eight.
__device__ inline float reciprocal(float x) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

/// A thread's place in its block's tile. Texture units serve threads in fours. In Morton order each four is a square of
/// voxels, whose samples lie closer together than those of four in a row (rabbit1024 packed: 3,650 against 2,700 GUPS).
struct TilePlace {
  int x, y;
};
/// Warps of 8 x 4 threads, two wide: a block of 32 n threads is a tile of 16 x 2 n.
inline constexpr int tile_width = 16;
__device__ inline TilePlace tile_place() {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int x = (lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4), y = (lane >> 1 & 1) | (lane >> 2 & 2);
  return {(warp & 1) * 8 + x, (warp >> 1) * 4 + y};
}

/// Position of voxel (i, j, k) in pixels from the detector's middle pixel.
__device__ inline DetectorPosition<float> position_of(const ExactViews& views, const ExactView& view, int i, int j,
                                                      int k) {
  return project_point(view.map, static_cast<float>(i - views.middle[0]), static_cast<float>(j - views.middle[1]),
                       static_cast<float>(k - views.middle[2]));
}

/// Whether all samples between two coordinates miss `extent` texels (and the half texel beyond that still counts).
__device__ inline bool misses(float first, float last, float extent) {
  return fmaxf(first, last) <= -0.5f || fminf(first, last) >= extent + 0.5f;
}

/// K voxels of one column, of which `slices` exist. Loads come first, so that they wait for memory together.
template <int K>
__device__ inline void read_column(const float* voxel, std::int64_t slice, int slices, float (&values)[K]) {
#pragma unroll
  for (int k = 0; k < K; ++k) values[k] = k < slices ? voxel[k * slice] : 0.0f;
}

/// Overwrites or accumulates K voxels of one column; `slices` of them exist.
template <int K>
__device__ inline void write_column(float* voxel, std::int64_t slice, int slices, const float (&sum)[K], float unit,
                                    bool accumulate) {
  float before[K] = {};
  if (accumulate) read_column<K>(voxel, slice, slices, before);
#pragma unroll
  for (int k = 0; k < K; ++k) {
    if (k >= slices) return;
    voxel[k * slice] = fmaf(unit, sum[k], before[k]);
  }
}

}  // namespace backlit::cuda
