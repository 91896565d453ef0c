// What the threads of a warp or block find together; all take part, and all get the result.
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

/// The sum over a block of so many threads.
template <int threads, class T>
__device__ inline T block_sum(T value) {
  __shared__ T sums[threads / 32];
  value = warp_sum(value);
  __syncthreads();  // an earlier sum has been read
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (const T sum : sums) value += sum;
  return value;
}

}  // namespace backlit::cuda
