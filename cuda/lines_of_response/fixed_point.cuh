// Sums in integers. A 32-bit integer addition in shared memory is one instruction, a floating-point addition is a loop,
// and integer sums do not depend on the order. Scales are powers of two. With a block's scale, all its values together,
// each with the largest weight, stay below 2^31, and the largest product below 2^22 (then adding 1.5 * 2^23 makes a
// product an integer). Tiles are summed in 64 bits with a scale that does the same for all lines.
#pragma once

#include "cuda/lines_of_response/kernel.hpp"

namespace backlit::cuda {

/// a b, less than 2^22, rounded to an integer.
__device__ __forceinline__ int fixed_product(float a, float b) {
  constexpr float magic = 12582912.0f;  // 1.5 * 2^23
  return __float_as_int(fmaf(a, b, magic)) - __float_as_int(magic);
}

/// Exponent of the largest power of two for scaling values with this sum and largest value.
__device__ inline int block_exponent(float sum, float largest, float most_weight) {
  if (!(sum > 0)) return 0;
  return min(30 - ilogbf(sum * most_weight * 1.001f), 21 - ilogbf(largest * most_weight)) - 1;
}

/// Joins the values of all threads; all threads get the result. Every warp joins in the same order.
template <class Join>
__device__ float over_block(float value, Join&& join) {
  __shared__ float scratch[most_warps];
  for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_xor_sync(~0u, value, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float all = scratch[0];
  for (int w = 1; w < static_cast<int>(blockDim.x) / 32; ++w) all = join(all, scratch[w]);
  return all;
}
__device__ inline float sum_over_block(float value) {
  return over_block(value, [](float a, float b) { return a + b; });
}
__device__ inline float largest_of_block(float value) {
  return over_block(value, [](float a, float b) { return fmaxf(a, b); });
}

}  // namespace backlit::cuda
