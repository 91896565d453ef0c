// Writes texels of every format; fp16 values are stored in units (times `per_unit`).
#pragma once

#include <cuda_fp16.h>

#include "cuda/device/layered_textures.hpp"

namespace backlit::cuda {

__device__ inline unsigned short half_bits(float v) { return __half_as_ushort(__float2half_rn(v)); }
__device__ inline ushort4 half_bits(float4 v, float per_unit) {
  return {half_bits(v.x * per_unit), half_bits(v.y * per_unit), half_bits(v.z * per_unit), half_bits(v.w * per_unit)};
}

template <Texel T>
__device__ inline void store(cudaSurfaceObject_t target, float v, float per_unit, int x, int y, int layer) {
  static_assert(T == Texel::r32f || T == Texel::r16f);
  if constexpr (T == Texel::r32f)
    surf2DLayeredwrite(v, target, x * int{sizeof(float)}, y, layer);
  else
    surf2DLayeredwrite(half_bits(v * per_unit), target, x * int{sizeof(__half)}, y, layer);
}

template <Texel T>
__device__ inline void store(cudaSurfaceObject_t target, float4 v, float per_unit, int x, int y, int layer) {
  static_assert(T == Texel::rgba32f || T == Texel::rgba16f);
  if constexpr (T == Texel::rgba32f) {
    surf2DLayeredwrite(v, target, x * int{sizeof(float4)}, y, layer);
  } else {
    surf2DLayeredwrite(half_bits(v, per_unit), target, x * int{sizeof(ushort4)}, y, layer);
  }
}

/// Texels x to x + count - 1 of a row, of at most four; x is a multiple of four.
template <Texel T>
__device__ inline void store_row(cudaSurfaceObject_t target, float4 v, int count, float per_unit, int x, int y,
                                 int layer) {
  if (count < 4) {
    store<T>(target, v.x, per_unit, x, y, layer);
    if (count > 1) store<T>(target, v.y, per_unit, x + 1, y, layer);
    if (count > 2) store<T>(target, v.z, per_unit, x + 2, y, layer);
  } else if constexpr (T == Texel::r32f) {
    surf2DLayeredwrite(v, target, x * int{sizeof(float)}, y, layer);
  } else {
    surf2DLayeredwrite(half_bits(v, per_unit), target, x * int{sizeof(__half)}, y, layer);
  }
}

}  // namespace backlit::cuda
