// Ranks among the pixels around a pixel: those within 2 columns and 2 rows (one row: within 3 columns), the pixel
// itself left out.
#pragma once

#include "cuda/corrections/images.hpp"

namespace backlit::cuda {

/// The value that a share of the neighbours is below, of value(row, column). For few pixels: it compares all with all.
template <class Value>
__device__ float quantile_around(const Images& size, int row, int column, double share, Value&& value) {
  const int across = size.rows > 1 ? 2 : 3;
  float around[24];
  int n = 0;
  for (int r = max(0, row - 2); r <= min(size.rows - 1, row + 2); ++r)
    for (int c = max(0, column - across); c <= min(size.columns - 1, column + across); ++c)
      if (r != row || c != column) around[n++] = value(r, c);
  if (n == 0) return value(0, 0);
  const int rank = static_cast<int>(share * n);
  float found = around[0];
  for (int i = 0; i < n; ++i) {
    int below = 0, equal = 0;
    for (int j = 0; j < n; ++j) {
      below += around[j] < around[i];
      equal += around[j] == around[i];
    }
    if (below <= rank && rank < below + equal) found = around[i];
  }
  return found;
}

/// a[0] becomes the least of n, a[n - 1] the largest; n > 1.
template <int n>
__device__ __forceinline__ void part(float (&a)[14]) {
  const auto order = [&](int i, int j) {
    const float low = fminf(a[i], a[j]);
    a[j] = fmaxf(a[i], a[j]);
    a[i] = low;
  };
#pragma unroll
  for (int i = 0; i < n / 2; ++i) order(i, n - 1 - i);  // smaller ones into the first half
#pragma unroll
  for (int i = 1; i < (n + 1) / 2; ++i) order(0, i);
#pragma unroll
  for (int i = n / 2; i < n - 1; ++i) order(i, n - 1);
}

/// Of 24 values next(0), next(1), ... the one that twelve are below: the least and the largest of those seen are
/// forgotten, again and again.
template <int n, class Next>
__device__ __forceinline__ float forget(float (&a)[14], Next&& next) {
  part<n>(a);
  if constexpr (n == 4) {
    return fmaxf(a[1], a[2]);
  } else {
    a[0] = next(28 - n);
    return forget<n - 1>(a, next);
  }
}

/// The median of the neighbours; of an even number the higher one.
__device__ inline float median_around(const float* image, const Images& size, int row, int column) {
  const auto at = [&](int r, int c) { return image[r * size.columns + c]; };
  if (size.rows == 1) return quantile_around(size, row, column, 0.5, at);
  const bool inside = row >= 2 && column >= 2 && row < size.rows - 2 && column < size.columns - 2;
  float around[24];
  if (inside) {
    const float* const middle = image + row * size.columns + column;
#pragma unroll
    for (int i = 0; i < 24; ++i) {
      const int k = i < 12 ? i : i + 1;
      around[i] = middle[(k / 5 - 2) * size.columns + k % 5 - 2];
    }
  } else {  // what is missing is taken for very small or very large
    const int rows = min(size.rows, row + 3) - max(0, row - 2),
              columns = min(size.columns, column + 3) - max(0, column - 2);
    const int lows = 12 - (rows * columns - 1) / 2;
    int missing = 0;
    if (rows * columns == 1) return at(0, 0);
#pragma unroll
    for (int i = 0; i < 24; ++i) {
      const int k = i < 12 ? i : i + 1, r = row + k / 5 - 2, c = column + k % 5 - 2;
      const bool there = r >= 0 && r < size.rows && c >= 0 && c < size.columns;
      around[i] = there ? at(r, c) : missing++ < lows ? -INFINITY : INFINITY;
    }
  }
  float kept[14];
#pragma unroll
  for (int i = 0; i < 14; ++i) kept[i] = around[i];
  return forget<14>(kept, [&](int i) { return around[i]; });
}

}  // namespace backlit::cuda
