// Sums that need more than single precision, on devices where double is slow: a float and its rounding error (Dekker,
// Numer. Math. 18 (1971) 224; Knuth's sum of two).
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>

namespace backlit {

/// About 48 bits; `low` is at most half a last bit of `high`. Needs exact float arithmetic, not -ffast-math.
struct TwoFloats {
  float high, low;

  TwoFloats() = default;
  BACKLIT_HD explicit TwoFloats(double value)
      : high(static_cast<float>(value)), low(static_cast<float>(value - static_cast<double>(high))) {}
  BACKLIT_HD TwoFloats(float larger, float smaller) : high(larger + smaller), low(smaller - (high - larger)) {}
  BACKLIT_HD explicit operator float() const { return high + low; }
};

BACKLIT_HD inline TwoFloats operator+(TwoFloats a, TwoFloats b) {
  const float sum = a.high + b.high, of_b = sum - a.high;
  return {sum, (a.high - (sum - of_b)) + (b.high - of_b) + (a.low + b.low)};
}
BACKLIT_HD inline TwoFloats operator-(TwoFloats a) {
  a.high = -a.high;
  a.low = -a.low;
  return a;
}
BACKLIT_HD inline TwoFloats operator-(TwoFloats a, TwoFloats b) { return a + -b; }
/// The product, rounded before anything is added to it.
BACKLIT_HD inline float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return fmaf(a, b, 0.0f);
#endif
}
BACKLIT_HD inline TwoFloats operator*(float factor, TwoFloats a) {
  const float product = rounded_product(factor, a.high);
  return {product, fmaf(factor, a.low, fmaf(factor, a.high, -product))};
}

}  // namespace backlit
