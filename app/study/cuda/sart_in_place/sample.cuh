// Reads and writes voxels in each representation.
#pragma once

#include "study/cuda/sart_in_place/storage.hpp"

namespace backlit::cuda {

/// The value at (u, v) of one slice. Textures begin with slice -1 and end with slice nz, both zero.
template <Representation R>
__device__ inline float sample_slice(const SartVolume& volume, float u, float v, int k) {
  const int slice = k + 1;
  const int part = slice >> volume.log2_slices, within = slice - (part << volume.log2_slices);
  if constexpr (R == Representation::array2d)
    return tex2DLayered<float>(volume.texture[part], u + 0.5f, v + 0.5f, within);
  else
    return tex2D<float>(volume.texture[part], u + 0.5f, v + static_cast<float>(within * volume.slice_rows) + 0.5f);
}

template <Representation R>
__device__ inline float sample(const SartVolume& volume, float u, float v, float w) {
  if constexpr (R == Representation::texture3d) {
    return tex3D<float>(volume.texture[0], u + 0.5f, v + 0.5f, w + 0.5f);
  } else {
    const float floor_w = floorf(w);
    const int k = static_cast<int>(floor_w);
    const float lower = sample_slice<R>(volume, u, v, k), upper = sample_slice<R>(volume, u, v, k + 1);
    return fmaf(w - floor_w, upper - lower, lower);
  }
}

__device__ inline float* voxel_at(const SartVolume& volume, int i, int j, int k) {
  return volume.linear + (std::int64_t{k + volume.front} * volume.slice_rows + j) * volume.pitch + i;
}

/// A volume for steps.cuh. `fused`: corrections are written to the textures too.
template <Representation R, bool fused>
struct SampledVolume : SartVolume {
  __device__ float sample(float u, float v, float w) const { return cuda::sample<R>(*this, u, v, w); }
  __device__ float load(int i, int j, int k) const { return *voxel_at(*this, i, j, k); }
  __device__ void store(int i, int j, int k, float value) const {
    *voxel_at(*this, i, j, k) = value;
    if constexpr (R == Representation::texture3d && fused) {
      surf3Dwrite(value, surface[0], i * int{sizeof(float)}, j, k);
    } else if constexpr (R == Representation::array2d && fused) {
      const int layer = k + 1, part = layer >> log2_slices;
      surf2DLayeredwrite(value, surface[part], i * int{sizeof(float)}, j, layer - (part << log2_slices));
    }
  }
};

}  // namespace backlit::cuda
