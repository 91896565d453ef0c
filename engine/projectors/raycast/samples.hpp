// Ray casting: trilinear samples at equal steps along the ray, summed by the trapezoid rule (Levoy, IEEE Comput. Graph.
// Appl. 8 (1988) 29; as the interpolating projector of TIGRE). Outside the grid values fade to zero over one voxel.
#pragma once

#include "projectors/joseph/slice_steps.hpp"

namespace backlit {

/// Sample number k of 0 .. count lies at point + k step, in voxel indices; there are none when count is 0.
template <class T>
struct RaySamples {
  T point[3], step[3];
  T length;  ///< mm between samples
  std::int64_t count;
};

/// Samples from the point where the ray enters the grid (or from the source inside it) to the point where the ray
/// leaves. They are at most `longest` mm apart.
template <class T>
BACKLIT_HD inline RaySamples<T> ray_samples(const Ray<T>& ray, const std::int64_t (&size)[3], T longest) {
  using std::ceil;
  T from = ray.endless ? T(-1e30) : T(0), to = T(1e30);
  for (int i = 0; i < 3; ++i) narrow(ray.origin[i], ray.direction[i], T(-1), T(size[i]), from, to);
  RaySamples<T> s{};
  if (!(from < to)) return s;
  // Paths that are whole multiples of the step, except for rounding, get that number of steps in every precision.
  const T steps = ceil((to - from) / longest - T(1e-3));
  s.count = steps > 1 ? static_cast<std::int64_t>(steps) : 1;
  s.length = (to - from) / T(s.count);
  for (int i = 0; i < 3; ++i) {
    s.point[i] = ray.origin[i] + from * ray.direction[i];
    s.step[i] = s.length * ray.direction[i];
  }
  return s;
}

/// Weight of sample k, mm.
template <class T>
BACKLIT_HD inline T sample_weight(const RaySamples<T>& s, std::int64_t k) {
  return k == 0 || k == s.count ? s.length / 2 : s.length;
}

/// The samples that can lie within one voxel of the box: [first, last].
template <class T>
BACKLIT_HD inline void samples_near(const RaySamples<T>& s, const VoxelBox& box, std::int64_t& first,
                                    std::int64_t& last) {
  using std::ceil;
  using std::floor;
  T from = 0, to = T(s.count);
  for (int i = 0; i < 3; ++i) narrow(s.point[i], s.step[i], T(box.lower[i] - 1), T(box.upper[i]), from, to);
  first = from <= to && s.count > 0 ? static_cast<std::int64_t>(ceil(from)) : 0;
  last = from <= to && s.count > 0 ? static_cast<std::int64_t>(floor(to)) : -1;
}

/// Calls f(first value of a slice, the slice's plane, x, y, share) for the two slices along z next to a sample, if they
/// lie in the box.
template <class T, class Value, class F>
BACKLIT_HD inline void for_slices_about(const RaySamples<T>& s, std::int64_t k, Value* volume, const VoxelBox& box,
                                        F&& f) {
  using std::floor;
  const T x = s.point[0] + T(k) * s.step[0], y = s.point[1] + T(k) * s.step[1], z = s.point[2] + T(k) * s.step[2];
  const T whole = floor(z), share = z - whole;
  const auto slice = static_cast<std::int64_t>(whole);
  const PlaneLayout plane{box.lower[0], box.upper[0], 1, box.lower[1], box.upper[1], box.size[0]};
  const std::int64_t stride = box.size[0] * box.size[1];
  if (slice >= box.lower[2] && slice < box.upper[2]) f(volume + slice * stride, plane, x, y, 1 - share);
  if (slice + 1 >= box.lower[2] && slice + 1 < box.upper[2]) f(volume + (slice + 1) * stride, plane, x, y, share);
}

/// The line integral of `volume` along the ray.
template <class T, class Value>
BACKLIT_HD inline T sum_samples(const RaySamples<T>& s, const Value* volume, const VoxelBox& box) {
  std::int64_t first, last;
  samples_near(s, box, first, last);
  T sum = 0;
  for (std::int64_t k = first; k <= last; ++k) {
    T value = 0;
    for_slices_about(s, k, volume, box, [&](const Value* slice, const PlaneLayout& plane, T x, T y, T share) {
      value += share * interpolate(slice, plane, x, y);
    });
    sum += sample_weight(s, k) * value;
  }
  return sum;
}

/// Adds `amount` to every voxel of the box by its share in sum_samples(): the transpose.
template <class T, class Value>
BACKLIT_HD inline void spread_samples(const RaySamples<T>& s, Value* volume, const VoxelBox& box, T amount) {
  std::int64_t first, last;
  samples_near(s, box, first, last);
  for (std::int64_t k = first; k <= last; ++k)
    for_slices_about(s, k, volume, box, [&](Value* slice, const PlaneLayout& plane, T x, T y, T share) {
      splat(slice, plane, x, y, sample_weight(s, k) * share * amount);
    });
}

/// The share of voxel (i, j, k) in sum_samples(), mm, for a transpose that gathers voxel by voxel.
template <class T>
BACKLIT_HD inline T share_of_voxel(const RaySamples<T>& s, T i, T j, T k) {
  using std::abs;
  using std::ceil;
  const T dx = abs(s.step[0]), dy = abs(s.step[1]), dz = abs(s.step[2]);
  // Along the main axis samples are farthest apart: only samples within a voxel along it can come near.
  const T along = dx >= dy && dx >= dz ? (i - s.point[0]) / s.step[0]
                  : dy >= dz           ? (j - s.point[1]) / s.step[1]
                                       : (k - s.point[2]) / s.step[2];
  const T reach = 1 / (dx >= dy ? (dx >= dz ? dx : dz) : (dy >= dz ? dy : dz));
  const T count = T(s.count);
  const T first = along - reach > 0 ? ceil(along - reach) : T(0), last = along + reach < count ? along + reach : count;
  T sum = 0;
  for (T n = first; n <= last; n += 1) {
    const T x = 1 - abs(s.point[0] + n * s.step[0] - i), y = 1 - abs(s.point[1] + n * s.step[1] - j),
            z = 1 - abs(s.point[2] + n * s.step[2] - k);
    if (x > 0 && y > 0 && z > 0) sum += (n == 0 || n == count ? T(0.5) : T(1)) * x * y * z;
  }
  return s.count > 0 ? sum * s.length : T(0);
}

}  // namespace backlit
