// What the threads of a warp find together; all 32 take part, and all get the result.
#pragma once

namespace backlit::cuda {

template <class T>
__device__ inline T warp_sum(T value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(~0u, value, lane);
  return value;
}

template <class T>
__device__ inline T warp_maximum(T value) {
  for (int lane = 16; lane > 0; lane /= 2) value = max(value, __shfl_xor_sync(~0u, value, lane));
  return value;
}

}  // namespace backlit::cuda
