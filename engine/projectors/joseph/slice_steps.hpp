// The slice-interpolated model (Joseph, IEEE Trans. Med. Imaging 1 (1982) 192). A ray goes through the slices
// perpendicular to its main axis, the axis along which it crosses most slices. Each slice adds its bilinear value where
// the ray meets it, times the length of the ray in the slice's slab. Any other axis that the ray is not too steep for
// serves as well, with samples farther apart.
#pragma once

#include <cmath>
#include <cstdint>

#include <backlit/core/hd.hpp>
#include "projectors/shared/bilinear.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit {

/// Voxels [lower, upper) of a grid of `size` voxels: the whole grid, or a part that one thread writes.
struct VoxelBox {
  std::int64_t lower[3], upper[3];
  std::int64_t size[3];
};

/// Steps that differ by less are equal, so that single and double precision choose the same stack.
constexpr double more_slices = 1 + 1e-5;

/// The axis along which `steps`, in voxels, cross most slices; of equal axes, the first.
template <class T>
BACKLIT_HD inline int main_axis(const T (&steps)[3]) {
  using std::abs;
  int m = 0;
  T most = abs(steps[0]);
  for (int i = 1; i < 3; ++i)
    if (abs(steps[i]) > T(more_slices) * most) m = i, most = abs(steps[i]);
  return m;
}

/// Most voxels that a ray may move sideways from slice to slice, in a stack that is not its main axis's: 76 degrees.
constexpr double most_sideways = 4;

/// Whether a ray with these steps moves farther than that: then no stack perpendicular to `axis` serves it.
template <class T>
BACKLIT_HD inline bool too_steep(const T (&steps)[3], int axis) {
  T square = 0;
  for (int i = 0; i < 3; ++i)
    if (i != axis) square += steps[i] * steps[i];
  return square > T(most_sideways * most_sideways) * steps[axis] * steps[axis];
}

/// A ray's path through a box: at slice s it meets (u + s du, v + s dv), the in-slice axes in x, y, z order.
template <class T>
struct SliceSteps {
  int axis;                  ///< slices are perpendicular to it
  std::int64_t first, last;  ///< slices that the ray can meet inside the box; none when last < first
  std::int64_t stride;       ///< values from one slice to the next
  T u, du, v, dv;
  T length;           ///< mm of the ray in a whole slab
  T start;            ///< coordinate along the axis where the ray begins, times `sense`
  T sense;            ///< +1 when the ray runs towards larger slices, -1 otherwise
  PlaneLayout plane;  ///< layout of a slice
};

/// Narrows [from, to] to where low < at + s step < high.
template <class T>
BACKLIT_HD inline void narrow(T at, T step, T low, T high, T& from, T& to) {
  if (step == T(0)) {
    if (!(at > low && at < high)) to = from - 1;
    return;
  }
  const T s0 = (low - at) / step, s1 = (high - at) / step;
  const T near_end = s0 < s1 ? s0 : s1, far_end = s0 < s1 ? s1 : s0;
  if (near_end > from) from = near_end;
  if (far_end < to) to = far_end;
}

/// The steps of a ray through `box` along axis m. The ray must not be too_steep() for m.
template <class T>
BACKLIT_HD inline SliceSteps<T> slice_steps(const Ray<T>& ray, const VoxelBox& box, int m) {
  using std::abs;
  using std::ceil;
  using std::floor;
  const int a = m == 0 ? 1 : 0, b = m == 2 ? 1 : 2;
  const std::int64_t stride[3] = {1, box.size[0], box.size[0] * box.size[1]};
  SliceSteps<T> s;
  s.axis = m;
  s.stride = stride[m];
  s.plane = {box.lower[a], box.upper[a], stride[a], box.lower[b], box.upper[b], stride[b]};
  s.du = ray.direction[a] / ray.direction[m];
  s.dv = ray.direction[b] / ray.direction[m];
  s.u = ray.origin[a] - ray.origin[m] * s.du;
  s.v = ray.origin[b] - ray.origin[m] * s.dv;
  s.length = 1 / abs(ray.direction[m]);
  s.sense = ray.direction[m] < 0 ? T(-1) : T(1);
  s.start = ray.endless ? T(-1e30) : s.sense * ray.origin[m];
  T from = T(box.lower[m]), to = T(box.upper[m] - 1);
  narrow(s.u, s.du, T(box.lower[a] - 1), T(box.upper[a]), from, to);
  narrow(s.v, s.dv, T(box.lower[b] - 1), T(box.upper[b]), from, to);
  // When the ray misses the box, `from` may be far away: do not convert it to an integer.
  s.first = from <= to ? static_cast<std::int64_t>(ceil(from)) : 0;
  s.last = from <= to ? static_cast<std::int64_t>(floor(to)) : -1;
  return s;
}

/// Along the ray's main axis.
template <class T>
BACKLIT_HD inline SliceSteps<T> slice_steps(const Ray<T>& ray, const VoxelBox& box) {
  return slice_steps(ray, box, main_axis(ray.direction));
}

/// mm of the ray in the slab of slice s: shorter where the source lies inside it, 0 behind the source.
template <class T>
BACKLIT_HD inline T slab_length(const SliceSteps<T>& s, std::int64_t slice) {
  const T share = s.sense * T(slice) - s.start + T(0.5);
  return share >= 1 ? s.length : share > 0 ? share * s.length : T(0);
}

/// The line integral of `volume` along the ray.
template <class T, class Value>
BACKLIT_HD inline T sum_slices(const SliceSteps<T>& s, const Value* volume) {
  T sum = 0;
  for (std::int64_t i = s.first; i <= s.last; ++i)
    sum += slab_length(s, i) * interpolate(volume + i * s.stride, s.plane, s.u + T(i) * s.du, s.v + T(i) * s.dv);
  return sum;
}

/// Adds `amount` to every voxel of the box by its share in sum_slices(): the transpose.
template <class T, class Value>
BACKLIT_HD inline void spread_slices(const SliceSteps<T>& s, Value* volume, T amount) {
  for (std::int64_t i = s.first; i <= s.last; ++i)
    splat(volume + i * s.stride, s.plane, s.u + T(i) * s.du, s.v + T(i) * s.dv, amount * slab_length(s, i));
}

}  // namespace backlit
