// Linear lookups in tables of n + 1 sums, in either precision.
#pragma once

#include <cstdint>

#include "cuda/shared/warp.cuh"

namespace backlit::cuda {

constexpr int warps = 8;  ///< per block

/// Position from 0 to n of a line that moves with the slabs (or runs along the lanes).
template <class T>
struct Place;

template <>
struct Place<float> {
  /// Lines are kept as fractions of n, because clamping those costs nothing.
  static __device__ double unit(int n) { return 1.0 / n; }
  /// Offset of `index`: the bits of 2^23, at which float additions count integers.
  static constexpr std::uint32_t zero = 0x4b000000;

  std::uint32_t index;
  float part;

  Place() = default;
  /// at + per_step * step, clamped to 0 ... 1, times n.
  __device__ Place(float at, float per_step, float step, float n) {
    const float share = __saturatef(fmaf(step, per_step, at));
    const float whole = __fmaf_rd(share, n, 8388608.0f);  // 2^23: the sum keeps no fraction, so it is the floor
    index = __float_as_uint(whole);
    part = fmaf(share, n, 8388608.0f - whole);
  }
};

template <>
struct Place<double> {
  static __device__ double unit(int) { return 1.0; }
  static constexpr std::uint32_t zero = 0;

  std::uint32_t index;
  double part;

  Place() = default;
  __device__ Place(double at, double per_step, double step, double n) {
    const double place = fmin(fmax(fma(step, per_step, at), 0.0), n);
    index = static_cast<std::uint32_t>(place);
    part = place - index;
  }
};

/// The two table entries around each position. All entries are read before the arithmetic, so that several tables are
/// read at a time.
template <class T, int R>
struct Neighbours {
  T low[R], high[R];

  /// `line`: start of the table in `sums`, minus Place::zero.
  __device__ Neighbours(const T* sums, std::uint32_t line, const Place<T> (&places)[R]) {
#pragma unroll
    for (int m = 0; m < R; ++m) {
      const T* at = sums + (line + places[m].index);
      low[m] = __ldg(at);
      high[m] = __ldg(at + 1);
    }
  }
  __device__ T at(const Place<T> (&places)[R], int m) const { return fma(places[m].part, high[m] - low[m], low[m]); }
};

template <class T>
__device__ inline T look_up(const T* sums, std::uint32_t line, const Place<T>& place) {
  const T* at = sums + (line + place.index);
  const T low = __ldg(at), high = __ldg(at + 1);
  return fma(place.part, high - low, low);
}

/// Adds the differences of neighbouring values. Each lane has R of them: value m of lane l is number 32 m + l. `last`,
/// the same for all lanes, is number 32 R.
template <class T, int R>
__device__ inline void add_differences(const T (&values)[R], T last, T (&sums)[R]) {
#pragma unroll
  for (int m = 0; m < R; ++m) {
    const T next = __shfl_down_sync(~0u, values[m], 1);
    const T wrapped = m + 1 < R ? __shfl_sync(~0u, values[m + 1 < R ? m + 1 : m], 0) : last;
    sums[m] += (threadIdx.x == 31 ? wrapped : next) - values[m];
  }
}

}  // namespace backlit::cuda
