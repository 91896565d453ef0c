// Splatting: voxels are overlapping round kernels (blobs). Each blob adds its footprint, the integral of the kernel
// along the ray, to the pixels around its projection: Westover, Proc. Chapel Hill Workshop on Volume Visualization
// (1989) 9; Mueller and Yagel, IEEE Trans. Med. Imaging 19 (2000) 1227. The kernel is one of Lewitt's (generalised
// Kaiser-Bessel, J. Opt. Soc. Am. A 7 (1990) 1834) with m = 2. With this radius and alpha = 3.2945 its spectrum is zero
// at the frequency of the voxels and at sqrt(2) times that. So volumes of equal values project evenly, within 0.5 %.
#pragma once

#include "projectors/joseph/slice_steps.hpp"

namespace backlit {

inline constexpr double blob_radius = 1.2295702076933508;  ///< voxels

/// The footprint, as its power series. `square` is the squared distance d^2 from the voxel's centre; both are in
/// voxels. It is y^(5/4) I_5/2(alpha sqrt(y)) for y = 1 - d^2 / radius^2, scaled to the integral 1.
template <class T>
BACKLIT_HD inline T blob_footprint(T square) {
  using std::sqrt;
  const T y = 1 - square * T(1 / (blob_radius * blob_radius));
  if (!(y > 0)) return 0;
  const T series = T(0.4152880055) +
                   y * (T(0.3219660138) +
                        y * (T(0.09707249867) +
                             y * (T(0.01596397179) +
                                  y * (T(0.001666081688) +
                                       y * (T(0.0001205573548) + y * (T(6.414343621e-06) + y * T(2.617334704e-07)))))));
  return series * y * y * sqrt(y);
}

/// Numbers of one ray that are the same in every slice.
template <class T>
struct BlobPath {
  T reach_u, reach_v;  ///< distance from the ray within which a slice's voxels touch it
  T inverse_square;    ///< 1 / squared step from slice to slice, in voxels
  T length;            ///< mm a voxel along the ray
};

template <class T>
BACKLIT_HD inline BlobPath<T> blob_path(const SliceSteps<T>& s) {
  using std::sqrt;
  const T square = 1 + s.du * s.du + s.dv * s.dv;
  return {T(blob_radius) * sqrt(1 + s.du * s.du), T(blob_radius) * sqrt(1 + s.dv * s.dv), 1 / square,
          s.length / sqrt(square)};
}

/// slice_steps() with all slices that blobs reach.
template <class T>
BACKLIT_HD inline SliceSteps<T> blob_steps(const Ray<T>& ray, const VoxelBox& box) {
  using std::ceil;
  using std::floor;
  SliceSteps<T> s = slice_steps(ray, box);
  const BlobPath<T> w = blob_path(s);
  T from = T(box.lower[s.axis]), to = T(box.upper[s.axis] - 1);
  narrow(s.u, s.du, T(s.plane.lower_u) - w.reach_u, T(s.plane.upper_u - 1) + w.reach_u, from, to);
  narrow(s.v, s.dv, T(s.plane.lower_v) - w.reach_v, T(s.plane.upper_v - 1) + w.reach_v, from, to);
  s.first = from <= to ? static_cast<std::int64_t>(ceil(from)) : 0;
  s.last = from <= to ? static_cast<std::int64_t>(floor(to)) : -1;
  return s;
}

/// Calls f(offset of a voxel from the slice's first, its weight in mm) for the voxels of one slice that touch the ray.
template <class T, class F>
BACKLIT_HD inline void for_blobs(const SliceSteps<T>& s, const BlobPath<T>& w, std::int64_t slice, F&& f) {
  using std::ceil;
  const T u = s.u + T(slice) * s.du, v = s.v + T(slice) * s.dv;
  const T share = slab_length(s, slice) / s.length * w.length;
  const auto lower = [](T at, std::int64_t least) {
    const auto i = static_cast<std::int64_t>(ceil(at));
    return i > least ? i : least;
  };
  for (std::int64_t j = lower(v - w.reach_v, s.plane.lower_v); j < s.plane.upper_v && T(j) <= v + w.reach_v; ++j)
    for (std::int64_t i = lower(u - w.reach_u, s.plane.lower_u); i < s.plane.upper_u && T(i) <= u + w.reach_u; ++i) {
      const T a = T(i) - u, b = T(j) - v, along = a * s.du + b * s.dv;
      const T amount = share * blob_footprint(a * a + b * b - along * along * w.inverse_square);
      if (amount > 0) f(i * s.plane.stride_u + j * s.plane.stride_v, amount);
    }
}

/// The line integral of the blobs along the ray; steps from blob_steps().
template <class T, class Value>
BACKLIT_HD inline T sum_blobs(const SliceSteps<T>& s, const Value* volume) {
  const BlobPath<T> w = blob_path(s);
  T sum = 0;
  for (std::int64_t k = s.first; k <= s.last; ++k)
    for_blobs(s, w, k, [&](std::int64_t at, T amount) { sum += amount * T(volume[k * s.stride + at]); });
  return sum;
}

/// Adds `amount` to every voxel of the box by its share in sum_blobs(): the transpose.
template <class T, class Value>
BACKLIT_HD inline void spread_blobs(const SliceSteps<T>& s, Value* volume, T amount) {
  const BlobPath<T> w = blob_path(s);
  for (std::int64_t k = s.first; k <= s.last; ++k)
    for_blobs(s, w, k, [&](std::int64_t at, T share) { volume[k * s.stride + at] += share * amount; });
}

}  // namespace backlit
