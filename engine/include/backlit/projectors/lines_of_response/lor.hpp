// A line of response between two detectors, in the coordinates of the slices that it crosses. Thin lines (joseph.hpp)
// and tubes (tube.hpp) use the slices perpendicular to the line's main axis. This is the axis along which the line
// crosses most slices.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// A VolumeGrid in the form for kernels; arrays in the order x, y, z.
struct LorGrid {
  double first[3];    ///< mm, centre of voxel 0
  double spacing[3];  ///< mm
  int size[3];

  BACKLIT_HD double voxel_mm3() const { return spacing[0] * spacing[1] * spacing[2]; }
};

inline LorGrid lor_grid(const VolumeGrid& g) {
  const Vec3 first = g.first_voxel();
  LorGrid grid{};
  for (int i = 0; i < 3; ++i) {
    grid.first[i] = first[i];
    grid.spacing[i] = g.spacing[i];
    grid.size[i] = static_cast<int>(g.size[static_cast<std::size_t>(i)]);
  }
  return grid;
}

/// The two axes in a slice, in x, y, z order.
BACKLIT_HD inline int first_in_slice(int axis) { return axis == 0 ? 1 : 0; }
BACKLIT_HD inline int second_in_slice(int axis) { return axis == 2 ? 1 : 2; }

/// A line in slice coordinates. Slices count from 0; a and b are voxel indices along first_in_slice() and
/// second_in_slice().
template <class T>
struct Lor {
  int axis;        ///< the main axis; |da| and |db| are 1 at most
  T a, da, b, db;  ///< the line meets slice s at (a + s da, b + s db)
  T start, end;    ///< the slices (with fractions) of the line's ends, start <= end
  T step;          ///< mm of line from a slice to the next
  T tof;           ///< the slice of the time-of-flight position
};

/// The line from p to q (mm). `tof_mm`: from the middle of the line towards q. A line of length 0 meets no slice (end <
/// start).
template <class T>
BACKLIT_HD inline Lor<T> make_lor(const double (&p)[3], const double (&q)[3], double tof_mm, const LorGrid& grid) {
  double at[3], along[3], square = 0;
  int m = 0;
  for (int i = 0; i < 3; ++i) {
    square += (q[i] - p[i]) * (q[i] - p[i]);
    at[i] = (p[i] - grid.first[i]) / grid.spacing[i];
    along[i] = (q[i] - p[i]) / grid.spacing[i];
    if (fabs(along[i]) > fabs(along[m])) m = i;
  }
  if (!(square > 0)) return {0, T(0), T(0), T(0), T(0), T(0), T(-1), T(1), T(0)};
  const int a = first_in_slice(m), b = second_in_slice(m);
  const double length = sqrt(square), end = at[m] + along[m];
  Lor<T> l;
  l.axis = m;
  l.da = T(along[a] / along[m]);
  l.a = T(at[a] - at[m] * (along[a] / along[m]));
  l.db = T(along[b] / along[m]);
  l.b = T(at[b] - at[m] * (along[b] / along[m]));
  l.start = T(at[m] < end ? at[m] : end);
  l.end = T(at[m] < end ? end : at[m]);
  l.step = T(length / fabs(along[m]));
  l.tof = T(at[m] + (0.5 + tof_mm / length) * along[m]);
  return l;
}

/// Narrows [from, to] to the s with low <= at + s step <= high.
template <class T>
BACKLIT_HD inline void clip_slices(T at, T step, T low, T high, T& from, T& to) {
  const T none = from - 1;
  if (step == T(0)) {
    if (!(at >= low && at <= high)) to = none;
    return;
  }
  const T s0 = (low - at) / step, s1 = (high - at) / step;
  const T near_end = s0 < s1 ? s0 : s1, far_end = s0 < s1 ? s1 : s0;
  if (near_end > from) from = near_end;
  if (far_end < to) to = far_end;
}

/// Slices [first, last]; none when last < first.
struct SliceRange {
  int first, last;
};

/// The slices of [low, high] to which the line contributes. In such a slice a point within `reach_a` and `reach_b`
/// voxels of the line lies in the box [low_a, high_a] x [low_b, high_b]. The slice lies between the line's ends and at
/// most `window` slices from the time-of-flight position (a negative window: no such limit). One slice too many at
/// either end is harmless: all weights are 0 there.
template <class T>
BACKLIT_HD inline SliceRange slices_within(const Lor<T>& l, T low, T high, T low_a, T high_a, T low_b, T high_b,
                                           T reach_a, T reach_b, T window) {
  T from = l.start - T(0.5) > low ? l.start - T(0.5) : low;
  T to = l.end + T(0.5) < high ? l.end + T(0.5) : high;
  if (window >= T(0)) {
    if (l.tof - window > from) from = l.tof - window;
    if (l.tof + window < to) to = l.tof + window;
  }
  clip_slices(l.a, l.da, low_a - reach_a, high_a + reach_a, from, to);
  clip_slices(l.b, l.db, low_b - reach_b, high_b + reach_b, from, to);
  if (!(from <= to)) return {0, -1};
  return {static_cast<int>(ceil(from)), static_cast<int>(floor(to))};
}

/// The share of slice s's slab that lies between the line's ends.
template <class T>
BACKLIT_HD inline T slab_share(const Lor<T>& l, T s) {
  const T from = l.start > s - T(0.5) ? l.start : s - T(0.5);
  const T to = l.end < s + T(0.5) ? l.end : s + T(0.5);
  return to > from ? to - from : T(0);
}

}  // namespace backlit
