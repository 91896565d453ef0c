// Writes texels of every format; fp16 values are stored in units (times `per_unit`).
#pragma once

#include <cuda_fp16.h>

#include "cuda/device/layered_textures.hpp"

namespace backlit::cuda {

template <Texel T>
__device__ inline void store(cudaSurfaceObject_t target, float v, float per_unit, int x, int y, int layer) {
  static_assert(T == Texel::r32f || T == Texel::r16f);
  if constexpr (T == Texel::r32f)
    surf2DLayeredwrite(v, target, x * int{sizeof(float)}, y, layer);
  else
    surf2DLayeredwrite(__half_as_ushort(__float2half_rn(v * per_unit)), target, x * int{sizeof(__half)}, y, layer);
}

template <Texel T>
__device__ inline void store(cudaSurfaceObject_t target, float4 v, float per_unit, int x, int y, int layer) {
  static_assert(T == Texel::rgba32f || T == Texel::rgba16f);
  if constexpr (T == Texel::rgba32f) {
    surf2DLayeredwrite(v, target, x * int{sizeof(float4)}, y, layer);
  } else {
    const auto bits = [&](float f) { return __half_as_ushort(__float2half_rn(f * per_unit)); };
    surf2DLayeredwrite(ushort4{bits(v.x), bits(v.y), bits(v.z), bits(v.w)}, target, x * int{sizeof(ushort4)}, y, layer);
  }
}

}  // namespace backlit::cuda
