// Linear lookups in sums over n entries, in either precision.
#pragma once

namespace backlit::cuda {

/// Where a line that moves with the slabs (or runs along the lanes) is among 0 to n.
template <class T>
struct Place;

template <>
struct Place<float> {
  /// Lines are kept as shares of n, for which clamping costs nothing.
  static __device__ double unit(int n) { return 1.0 / n; }

  int index;
  float part;

  /// at + per_step * step, clamped to 0 ... 1, times n.
  __device__ Place(float at, float per_step, float step, float n) {
    const float share = __saturatef(fmaf(step, per_step, at));
    const float whole = __fmaf_rd(share, n, 8388608.0f);  // 2^23: what is left of the fraction is the floor
    index = __float_as_int(whole) - 0x4b000000;
    part = fmaf(share, n, 8388608.0f - whole);
  }
};

template <>
struct Place<double> {
  static __device__ double unit(int) { return 1.0; }

  int index;
  double part;

  __device__ Place(double at, double per_step, double step, double n) {
    const double place = fmin(fmax(fma(step, per_step, at), 0.0), n);
    index = static_cast<int>(place);
    part = place - index;
  }
};

template <class T>
__device__ inline T look_up(const T* sums, const Place<T>& place) {
  const T low = sums[place.index], high = sums[place.index + 1];
  return low + place.part * (high - low);
}

/// Differences of neighbouring lanes' values, of which each lane has R: value m of lane l is number 32 m + l. The last
/// one's is not defined.
template <class T, int R>
__device__ inline void add_differences(const T (&values)[R], T (&sums)[R]) {
#pragma unroll
  for (int m = 0; m < R; ++m) {
    T next = __shfl_down_sync(~0u, values[m], 1);
    if (m + 1 < R) {
      const T wrapped = __shfl_sync(~0u, values[m + 1 < R ? m + 1 : m], 0);
      if (threadIdx.x == 31) next = wrapped;
    }
    sums[m] += next - values[m];
  }
}

}  // namespace backlit::cuda
