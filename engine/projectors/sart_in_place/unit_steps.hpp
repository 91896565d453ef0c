// For SART with a volume corrected in place (backlit/projectors/sart_in_place/view_sart.hpp): samples along a ray, and
// the shares of a view's rays in one voxel. Samples are one voxel of the main axis apart and interpolated trilinearly.
// The volume is zero outside, so values fade out within a voxel of its outermost centres.
#pragma once

#include <cmath>
#include <cstdint>

#include <backlit/core/hd.hpp>
#include "projectors/shared/bilinear.hpp"
#include "projectors/shared/pixel_box.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit {

/// Sample n lies at (u + n du, v + n dv, w + n dw) in voxel indices; samples [first, last] count.
template <class T>
struct UnitSteps {
  T u, v, w, du, dv, dw;
  T length;  ///< mm from sample to sample
  int first, last;
};

/// Narrows samples [from, to] to those where -1 < at + n step < size.
template <class T>
BACKLIT_HD inline void narrow_samples(T at, T step, int size, T& from, T& to) {
  if (step == T(0)) {
    if (!(at > T(-1) && at < T(size))) to = from - 1;
    return;
  }
  const T a = (T(-1) - at) / step, b = (T(size) - at) / step;
  from = a < b ? (a > from ? a : from) : (b > from ? b : from);
  to = a < b ? (b < to ? b : to) : (a < to ? a : to);
}

/// Samples of a cone ray begin half a step from the source; samples of a parallel ray extend in both directions.
template <class T>
BACKLIT_HD inline UnitSteps<T> unit_steps(const Ray<T>& ray, int nx, int ny, int nz) {
  using std::abs;
  using std::ceil;
  using std::floor;
  const T x = abs(ray.direction[0]), y = abs(ray.direction[1]), z = abs(ray.direction[2]);
  UnitSteps<T> s;
  s.length = 1 / (x > y ? (x > z ? x : z) : (y > z ? y : z));
  s.du = s.length * ray.direction[0];
  s.dv = s.length * ray.direction[1];
  s.dw = s.length * ray.direction[2];
  s.u = ray.origin[0] + T(0.5) * s.du;
  s.v = ray.origin[1] + T(0.5) * s.dv;
  s.w = ray.origin[2] + T(0.5) * s.dw;
  T from = ray.endless ? T(-1e9) : T(0), to = T(1e9);
  narrow_samples(s.u, s.du, nx, from, to);
  narrow_samples(s.v, s.dv, ny, from, to);
  narrow_samples(s.w, s.dw, nz, from, to);
  const bool meets = from <= to;
  s.first = meets ? static_cast<int>(ceil(from)) : 0;
  s.last = meets ? static_cast<int>(floor(to)) : -1;
  return s;
}

/// The value of a volume of ones at `x` along an axis of `size` voxels: 1 between the outermost centres, 0 a voxel
/// beyond.
template <class T>
BACKLIT_HD inline T coverage(T x, int size) {
  const T low = x + 1, high = T(size) - x;
  const T least = low < high ? low : high;
  return least < 0 ? T(0) : least < 1 ? least : T(1);
}

/// The value at (u, v, w) of a volume in memory, x fastest.
template <class T, class Value>
BACKLIT_HD inline T trilinear(const Value* volume, int nx, int ny, int nz, T u, T v, T w) {
  using std::floor;
  const PlaneLayout plane = image_plane(nx, ny);
  const std::int64_t slice = std::int64_t{nx} * ny;
  const int k = static_cast<int>(floor(w));
  const T share = w - T(k);
  const T lower = k >= 0 && k < nz ? interpolate(volume + k * slice, plane, u, v) : T(0);
  const T upper = k + 1 >= 0 && k + 1 < nz ? interpolate(volume + (k + 1) * slice, plane, u, v) : T(0);
  return lower + share * (upper - lower);
}

/// The correction of a ray: the difference of the measured and the volume's integral, over the ray's mm in the volume.
/// Rays with less than one step in the volume hold too little information and correct nothing.
template <class T>
BACKLIT_HD inline T ray_correction(T measured, T samples, T covered, T length) {
  return covered < 1 ? T(0) : (measured - samples * length) / (covered * length);
}

/// The share of the ray in voxel (i, j, k), mm: trilinear shares of its samples times their length.
template <class T>
BACKLIT_HD inline T voxel_share(const UnitSteps<T>& s, T i, T j, T k) {
  using std::abs;
  using std::ceil;
  using std::floor;
  // Along the main axis a step is one voxel, so at most three samples come near.
  const bool along_x = abs(s.du) >= abs(s.dv) && abs(s.du) >= abs(s.dw), along_y = !along_x && abs(s.dv) >= abs(s.dw);
  const T middle = along_x ? (i - s.u) / s.du : along_y ? (j - s.v) / s.dv : (k - s.w) / s.dw;
  T sum = 0;
  for (T n = ceil(middle - 1); n <= middle + 1; n += 1) {
    if (n < T(s.first) || n > T(s.last)) continue;
    const T x = 1 - abs(s.u + n * s.du - i), y = 1 - abs(s.v + n * s.dv - j), z = 1 - abs(s.w + n * s.dw - k);
    if (x > 0 && y > 0 && z > 0) sum += x * y * z;
  }
  return sum * s.length;
}

/// Adds the shares of a view's rays in voxel (i, j, k), and the shares times the corrections of those rays. `stride` is
/// the number of values of a row of `corrections` in memory.
template <class T, class Value>
BACKLIT_HD inline void gather_rays(const RayFrame<T>& frame, const ViewMap<T>& map, const Value* corrections,
                                   int columns, int rows, int stride, int nx, int ny, int nz, int i, int j, int k,
                                   T& share, T& amount) {
  const PixelBox box = pixels_around(map, columns, rows, T(i), T(j), T(k));
  for (int row = box.first_row; row <= box.last_row; ++row)
    for (int column = box.first_column; column <= box.last_column; ++column) {
      const UnitSteps<T> s = unit_steps(make_ray(frame, T(column), T(row)), nx, ny, nz);
      const T part = voxel_share(s, T(i), T(j), T(k));
      share += part;
      amount += part * T(corrections[std::int64_t{row} * stride + column]);
    }
}

}  // namespace backlit
