// Projection of a voxel in a general view, shared by the study's kernels.
#pragma once

#include "cuda/voxel_driven/device.cuh"
#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {

/// Texture coordinates (texel centres at a half) and the reciprocal depth; 0 for voxels behind the source.
struct Shadow {
  float column, row, per_depth;
};

__device__ inline Shadow shadow_of(const GeneralView& v, float x, float y, float z) {
  const float a = fmaf(v.a[0], x, fmaf(v.a[1], y, fmaf(v.a[2], z, v.a[3])));
  const float b = fmaf(v.b[0], x, fmaf(v.b[1], y, fmaf(v.b[2], z, v.b[3])));
  const float w = fmaf(v.w[0], x, fmaf(v.w[1], y, fmaf(v.w[2], z, v.w[3])));
  const float r = w > 0 ? reciprocal(w) : 0.0f;
  return {a * r, b * r, r};
}

/// Weight of a sample: 0 behind the source, else 1 or FDK's weight.
__device__ inline float weight_of(const Shadow& s, bool weighted) {
  return weighted ? s.per_depth * s.per_depth : s.per_depth > 0 ? 1.0f : 0.0f;
}

__device__ inline float* voxel_of(const VolumeSlab& slab, int i, int j, int k) {
  return slab.voxels + (std::int64_t{k} * slab.ny + j) * slab.nx + i;
}

}  // namespace backlit::cuda
