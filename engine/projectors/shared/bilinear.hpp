// Bilinear interpolation in a plane of values, and its exact transpose. Values outside the plane are zero.
#pragma once

#include <cmath>
#include <cstdint>

#include <backlit/core/hd.hpp>

namespace backlit {

/// Layout of a plane in memory: values [lower, upper) along u and v, `stride` values from one to the next. `lower` is 0
/// for a whole plane. A part of one (a slab of the volume) reads and writes nothing outside itself.
struct PlaneLayout {
  std::int64_t lower_u = 0, upper_u = 0, stride_u = 1;
  std::int64_t lower_v = 0, upper_v = 0, stride_v = 1;
};

/// columns x rows values, column fastest.
BACKLIT_HD inline PlaneLayout image_plane(std::int64_t columns, std::int64_t rows) {
  return {0, columns, 1, 0, rows, columns};
}

/// The four values that surround a point: offset of the first and the shares of its upper neighbours.
template <class T>
struct Bilinear {
  std::int64_t u, v;
  T share_u, share_v;
};

/// False (also for NaN) when all four lie outside the plane.
template <class T>
BACKLIT_HD inline bool bilinear_at(const PlaneLayout& p, T u, T v, Bilinear<T>& at) {
  using std::floor;
  if (!(u > T(p.lower_u - 1) && u < T(p.upper_u) && v > T(p.lower_v - 1) && v < T(p.upper_v))) return false;
  const T whole_u = floor(u), whole_v = floor(v);
  at = {static_cast<std::int64_t>(whole_u), static_cast<std::int64_t>(whole_v), u - whole_u, v - whole_v};
  return true;
}

/// The interpolated value at (u, v).
template <class T, class Value>
BACKLIT_HD inline T interpolate(const Value* values, const PlaneLayout& p, T u, T v) {
  Bilinear<T> at;
  if (!bilinear_at(p, u, v, at)) return T(0);
  const bool low_u = at.u >= p.lower_u, high_u = at.u + 1 < p.upper_u;
  const Value* first = values + at.u * p.stride_u + at.v * p.stride_v;
  T lower = 0, upper = 0;
  if (at.v >= p.lower_v)
    lower = (low_u ? (1 - at.share_u) * T(first[0]) : T(0)) + (high_u ? at.share_u * T(first[p.stride_u]) : T(0));
  first += p.stride_v;
  if (at.v + 1 < p.upper_v)
    upper = (low_u ? (1 - at.share_u) * T(first[0]) : T(0)) + (high_u ? at.share_u * T(first[p.stride_u]) : T(0));
  return (1 - at.share_v) * lower + at.share_v * upper;
}

/// Adds `amount` to the four values by their shares: the transpose of interpolate().
template <class T, class Value>
BACKLIT_HD inline void splat(Value* values, const PlaneLayout& p, T u, T v, T amount) {
  Bilinear<T> at;
  if (!bilinear_at(p, u, v, at)) return;
  const bool low_u = at.u >= p.lower_u, high_u = at.u + 1 < p.upper_u;
  Value* first = values + at.u * p.stride_u + at.v * p.stride_v;
  const T lower = (1 - at.share_v) * amount, upper = at.share_v * amount;
  if (at.v >= p.lower_v) {
    if (low_u) first[0] += (1 - at.share_u) * lower;
    if (high_u) first[p.stride_u] += at.share_u * lower;
  }
  first += p.stride_v;
  if (at.v + 1 < p.upper_v) {
    if (low_u) first[0] += (1 - at.share_u) * upper;
    if (high_u) first[p.stride_u] += at.share_u * upper;
  }
}

}  // namespace backlit
