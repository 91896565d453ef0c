// Copies voxels of a tile between the image and a block's shared memory.
#pragma once

#include "cuda/lines_of_response/tiling.hpp"

namespace backlit::cuda {

/// Calls f(index in the tile, index in the image) for the tile's voxels; neighbouring threads get neighbours in the
/// image.
template <class F>
__device__ void each_voxel(const Tile& t, const Tiling& g, int axis, F&& f) {
  const int n = t.main * t.a * t.b;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int s, a, b;
    if (axis == 0) {
      s = i % t.main;
      a = i / t.main % t.a;
      b = i / t.main / t.a;
    } else {
      a = i % t.a;
      s = axis == 1 ? i / t.a % t.main : i / t.a / t.b;
      b = axis == 1 ? i / t.a / t.main : i / t.a % t.b;
    }
    f(first_voxel(t) + s * t.slice + b * t.row + a,
      (t.main0 + s) * g.stride[0] + (t.a0 + a) * g.stride[1] + (t.b0 + b) * g.stride[2]);
  }
}

}  // namespace backlit::cuda
