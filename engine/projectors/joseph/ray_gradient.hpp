// Derivatives of Joseph's line integral by a ray's place and by the numbers of its view, on host and device alike.
#pragma once

#include "projectors/joseph/slice_steps.hpp"

namespace backlit {

/// The interpolated value at a point and its derivatives by u and v. On a line of values there is a kink: there the
/// derivative across the line is the mean of both sides, so that nothing moves a fan beam out of its plane.
template <class T>
struct Slope {
  T value, by_u, by_v;
};

/// Whether a coordinate is that of a value. If so, sets `value` to the nearest one.
template <class T>
BACKLIT_HD inline bool on_value(T at, T& value) {
  using std::floor;
  value = floor(at + T(0.5));
  const T away = at - value;
  return away < T(1e-6) && away > T(-1e-6);
}

template <class T, class Value>
BACKLIT_HD inline Slope<T> interpolate_slope(const Value* values, const PlaneLayout& p, T u, T v) {
  Bilinear<T> at;
  if (!bilinear_at(p, u, v, at)) return {0, 0, 0};
  const bool low_u = at.u >= p.lower_u, high_u = at.u + 1 < p.upper_u;
  const bool low_v = at.v >= p.lower_v, high_v = at.v + 1 < p.upper_v;
  const Value* first = values + at.u * p.stride_u + at.v * p.stride_v;
  const T a = low_u && low_v ? T(first[0]) : T(0), b = high_u && low_v ? T(first[p.stride_u]) : T(0);
  first += p.stride_v;
  const T c = low_u && high_v ? T(first[0]) : T(0), d = high_u && high_v ? T(first[p.stride_u]) : T(0);
  const T lower = a + at.share_u * (b - a), upper = c + at.share_u * (d - c);
  Slope<T> slope{lower + at.share_v * (upper - lower), (1 - at.share_v) * (b - a) + at.share_v * (d - c),
                 upper - lower};
  T near;
  if (on_value(u, near)) slope.by_u = (interpolate(values, p, near + 1, v) - interpolate(values, p, near - 1, v)) / 2;
  if (on_value(v, near)) slope.by_v = (interpolate(values, p, u, near + 1) - interpolate(values, p, u, near - 1)) / 2;
  return slope;
}

/// Derivatives of sum_slices() by the ray's origin and by its direction of length 1, both in mm. Only the part of
/// `direction` that turns the ray counts: the length of the direction changes nothing.
template <class T>
struct RayGradient {
  T origin[3], direction[3];
};

/// `s`: steps along `ray`; per_mm: voxel indices per mm.
template <class T, class Value>
BACKLIT_HD inline RayGradient<T> ray_gradient(const Ray<T>& ray, const SliceSteps<T>& s, const T (&per_mm)[3],
                                              const Value* volume) {
  // Sums over the slices: of slopes, plain and times the slice; of values, for the path's length and its start.
  T sum = 0, by_start = 0, by_u = 0, by_v = 0, by_du = 0, by_dv = 0;
  for (std::int64_t i = s.first; i <= s.last; ++i) {
    const T length = slab_length(s, i);
    const auto slope = interpolate_slope(volume + i * s.stride, s.plane, s.u + T(i) * s.du, s.v + T(i) * s.dv);
    sum += length * slope.value;
    if (length > 0 && length < s.length) by_start -= s.length * slope.value;
    by_u += length * slope.by_u;
    by_v += length * slope.by_v;
    by_du += T(i) * length * slope.by_u;
    by_dv += T(i) * length * slope.by_v;
  }
  // u = origin_a - origin_m du, du = direction_a / direction_m in voxels, length = 1 / |direction_m|.
  const int m = s.axis, a = m == 0 ? 1 : 0, b = m == 2 ? 1 : 2;
  by_du -= ray.origin[m] * by_u;
  by_dv -= ray.origin[m] * by_v;
  RayGradient<T> g;
  for (int k = 0; k < 3; ++k) g.direction[k] = sum * ray.direction[k] / per_mm[k];
  g.direction[a] += by_du * per_mm[a] / ray.direction[m];
  g.direction[b] += by_dv * per_mm[b] / ray.direction[m];
  g.direction[m] -= (by_du * s.du + by_dv * s.dv + sum) * per_mm[m] / ray.direction[m];
  g.origin[a] = by_u * per_mm[a];
  g.origin[b] = by_v * per_mm[b];
  g.origin[m] = ((ray.endless ? T(0) : s.sense * by_start) - by_u * s.du - by_v * s.dv) * per_mm[m];
  return g;
}

/// Adds `weight` times the derivative of a pixel's line integral by the view's twelve numbers: source (parallel:
/// direction), centre, u, v. For flat detectors.
template <class T, class Sum, class Value>
BACKLIT_HD inline void add_view_gradient(const RayFrame<T>& f, const VoxelBox& box, const Value* volume, T column,
                                         T row, T weight, Sum (&sums)[12]) {
  using std::sqrt;
  const Ray<T> ray = make_ray(f, column, row);
  const RayGradient<T> g = ray_gradient(ray, slice_steps(ray, box), f.per_mm, volume);
  const T along_u = column - f.column0, along_v = row - f.row0;
  T square = 0;
  for (int i = 0; i < 3; ++i) {
    const T step = f.parallel ? f.source[i] : f.center[i] + along_u * f.u[i] + along_v * f.v[i] - f.source[i];
    square += step * step;
  }
  const T per_length = 1 / sqrt(square);
  for (int i = 0; i < 3; ++i) {
    const T origin = weight * g.origin[i], direction = weight * per_length * g.direction[i];
    const T pixel = f.parallel ? origin : direction;
    sums[i] += f.parallel ? direction : origin - direction;
    sums[3 + i] += pixel;
    sums[6 + i] += along_u * pixel;
    sums[9 + i] += along_v * pixel;
  }
}

}  // namespace backlit
