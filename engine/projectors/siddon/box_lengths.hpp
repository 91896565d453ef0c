// Voxels as boxes of constant value, each weighted with the length of the ray in it: Siddon, Med. Phys. 12 (1985) 252,
// slice by slice along the ray's main axis. Within a slice's slab a ray moves by at most one voxel along either other
// axis, so it touches at most three voxels there.
#pragma once

#include "projectors/joseph/slice_steps.hpp"

namespace backlit {

/// Calls f(u, v, length in mm) for the voxels of one slice that the ray passes through; (u, v) may lie outside the
/// plane.
template <class T, class F>
BACKLIT_HD inline void for_boxes(const SliceSteps<T>& s, std::int64_t slice, F&& f) {
  using std::floor;
  T from = T(slice) - T(0.5), to = T(slice) + T(0.5);
  if (s.sense > 0 && s.start > from) from = s.start;
  if (s.sense < 0 && -s.start < to) to = -s.start;
  if (!(from < to)) return;
  // Voxel i reaches from i - 1/2 to i + 1/2.
  const T u0 = floor(s.u + from * s.du + T(0.5)), u1 = floor(s.u + to * s.du + T(0.5));
  const T v0 = floor(s.v + from * s.dv + T(0.5)), v1 = floor(s.v + to * s.dv + T(0.5));
  const auto crossing = [&](T at, T step, T a, T b) {
    if (a == b) return to;
    const T c = ((a > b ? a : b) - T(0.5) - at) / step;
    return c < from ? from : c > to ? to : c;
  };
  const T cut_u = crossing(s.u, s.du, u0, u1), cut_v = crossing(s.v, s.dv, v0, v1);
  const auto whole = [](T x) { return static_cast<std::int64_t>(x); };
  const bool u_first = cut_u < cut_v;
  const T cut0 = u_first ? cut_u : cut_v, cut1 = u_first ? cut_v : cut_u;
  f(whole(u0), whole(v0), (cut0 - from) * s.length);
  if (cut1 > cut0) f(whole(u_first ? u1 : u0), whole(u_first ? v0 : v1), (cut1 - cut0) * s.length);
  if (to > cut1) f(whole(u1), whole(v1), (to - cut1) * s.length);
}

BACKLIT_HD inline bool in_plane(const PlaneLayout& p, std::int64_t u, std::int64_t v) {
  return u >= p.lower_u && u < p.upper_u && v >= p.lower_v && v < p.upper_v;
}

/// The line integral of `volume` along the ray.
template <class T, class Value>
BACKLIT_HD inline T sum_boxes(const SliceSteps<T>& s, const Value* volume) {
  T sum = 0;
  for (std::int64_t i = s.first; i <= s.last; ++i)
    for_boxes(s, i, [&](std::int64_t u, std::int64_t v, T length) {
      if (in_plane(s.plane, u, v))
        sum += length * T(volume[i * s.stride + u * s.plane.stride_u + v * s.plane.stride_v]);
    });
  return sum;
}

/// Adds `amount` to every voxel of the box by its share in sum_boxes(): the transpose.
template <class T, class Value>
BACKLIT_HD inline void spread_boxes(const SliceSteps<T>& s, Value* volume, T amount) {
  for (std::int64_t i = s.first; i <= s.last; ++i)
    for_boxes(s, i, [&](std::int64_t u, std::int64_t v, T length) {
      if (in_plane(s.plane, u, v))
        volume[i * s.stride + u * s.plane.stride_u + v * s.plane.stride_v] += length * amount;
    });
}

}  // namespace backlit
