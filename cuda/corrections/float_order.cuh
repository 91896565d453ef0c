// Floats as integers that have the same order.
#pragma once

#include <cstdint>

namespace backlit::cuda {

/// -0 counts as 0.
__device__ inline unsigned in_order(float value) {
  const unsigned bits = __float_as_uint(value + 0.0f);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ inline float from_order(unsigned bits) { return __uint_as_float(bits >> 31 ? bits & 0x7fffffffu : ~bits); }

}  // namespace backlit::cuda
