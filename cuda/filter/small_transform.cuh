// Discrete Fourier transforms of a few values in registers.
#pragma once

#include <array>

#include "cuda/filter/complex.hpp"

namespace backlit::cuda {

namespace roots {

/// cos(x) for |x| <= pi, because the standard library's is not constexpr.
constexpr double cosine(double x) {
  double term = 1, sum = 1;
  for (int i = 1; i < 20; ++i) sum += term *= -x * x / (2 * i * (2 * i - 1));
  return sum;
}

/// exp(2 pi i k / n), k < n.
template <int n>
constexpr std::array<Complex, n> table() {
  constexpr double turn = 6.283185307179586;
  std::array<Complex, n> roots{};
  for (int k = 0; k < n; ++k) {
    const double angle = turn * (2 * k > n ? k - n : k) / n, beside = angle - turn / 4;  // sin a = cos(a - pi / 2)
    roots[k] = {static_cast<float>(cosine(angle)),
                static_cast<float>(cosine(beside < -turn / 2 ? beside + turn : beside))};
  }
  return roots;
}

}  // namespace roots

/// a exp(sign 2 pi i k / n). k and n are known at compile time, so factors of 1, i and -1 cost nothing.
template <int n, int sign>
__device__ inline Complex turned(Complex a, int k) {
  constexpr auto table = roots::table<n>();
  if (k % n == 0) return a;
  if (4 * k == n) return quarter_turn<sign>(a);
  if (2 * k == n) return {-a.x, -a.y};
  if (4 * k == 3 * n) return quarter_turn<-sign>(a);
  const Complex root = table[k % n];
  return a * (sign > 0 ? root : conjugate(root));
}

/// v[k] <- sum over n of v[n] exp(sign 2 pi i n k / size), for sizes whose only prime factors are 2, 3 and 5.
template <int size, int sign>
__device__ inline void small_transform(Complex (&v)[size]) {
  if constexpr (size == 2) {
    const Complex sum = v[0] + v[1];
    v[1] = v[0] - v[1];
    v[0] = sum;
  } else if constexpr (size == 3) {
    const Complex sum = v[1] + v[2], middle = v[0] - 0.5f * sum;
    const Complex side = quarter_turn<sign>(0.8660254037844386f * (v[1] - v[2]));
    v[0] = v[0] + sum;
    v[1] = middle + side;
    v[2] = middle - side;
  } else if constexpr (size == 4) {
    const Complex even = v[0] + v[2], odd = v[1] + v[3], rest = v[0] - v[2];
    const Complex side = quarter_turn<sign>(v[1] - v[3]);
    v[0] = even + odd;
    v[1] = rest + side;
    v[2] = even - odd;
    v[3] = rest - side;
  } else if constexpr (size == 5) {
    constexpr float c1 = 0.30901699437494745f, c2 = -0.8090169943749475f;
    constexpr float s1 = 0.9510565162951535f, s2 = 0.5877852522924731f;
    const Complex a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3];
    const Complex one = v[0] + c1 * a + c2 * b, two = v[0] + c2 * a + c1 * b;
    const Complex side = quarter_turn<sign>(s1 * c + s2 * d), other = quarter_turn<sign>(s2 * c - s1 * d);
    v[0] = v[0] + a + b;
    v[1] = one + side;
    v[2] = two + other;
    v[3] = two - other;
    v[4] = one - side;
  } else if constexpr (size > 1) {  // Cooley and Tukey: value first + b, frequency ka + a kb
    constexpr int a = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : size % 5 == 0 ? 5 : 3, b = size / a;
    Complex out[size];
#pragma unroll
    for (int i = 0; i < b; ++i) {
      Complex part[a];
#pragma unroll
      for (int j = 0; j < a; ++j) part[j] = v[b * j + i];
      small_transform<a, sign>(part);
#pragma unroll
      for (int j = 0; j < a; ++j) v[b * j + i] = turned<size, sign>(part[j], i * j);
    }
#pragma unroll
    for (int i = 0; i < a; ++i) {
      Complex part[b];
#pragma unroll
      for (int j = 0; j < b; ++j) part[j] = v[b * i + j];
      small_transform<b, sign>(part);
#pragma unroll
      for (int j = 0; j < b; ++j) out[i + a * j] = part[j];
    }
#pragma unroll
    for (int i = 0; i < size; ++i) v[i] = out[i];
  }
}

}  // namespace backlit::cuda
