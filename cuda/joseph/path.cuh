// A ray's path through a stack of slices: slice_steps.hpp in a form for a GPU thread's registers.
#pragma once

#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit::cuda {

/// The ray meets slice s of the stack at (u + s du, v + s dv), the in-slice axes in x, y, z order.
struct RayPath {
  float u, du, v, dv;
  float length;  ///< mm in a slice's slab
  float sense;   ///< +1 when the ray runs towards larger slices, -1 otherwise
  float start;   ///< sense times the slice coordinate of the source; parallel: far before the grid
  int axis;      ///< the ray's own main axis, which may differ from the stack's
};

__device__ inline RayPath path_through(const Ray<float>& ray, int axis) {
  // Constant indices, because a run-time index would move the ray to local memory.
  const float dm = axis == 0 ? ray.direction[0] : axis == 1 ? ray.direction[1] : ray.direction[2];
  const float om = axis == 0 ? ray.origin[0] : axis == 1 ? ray.origin[1] : ray.origin[2];
  const float da = axis == 0 ? ray.direction[1] : ray.direction[0], oa = axis == 0 ? ray.origin[1] : ray.origin[0];
  const float db = axis == 2 ? ray.direction[1] : ray.direction[2], ob = axis == 2 ? ray.origin[1] : ray.origin[2];
  const float x = fabsf(ray.direction[0]), y = fabsf(ray.direction[1]), z = fabsf(ray.direction[2]);
  const float per = 1.0f / dm;
  RayPath w;
  w.du = da * per;
  w.dv = db * per;
  w.u = fmaf(-om, w.du, oa);
  w.v = fmaf(-om, w.dv, ob);
  w.length = fabsf(per);
  w.sense = dm < 0 ? -1.0f : 1.0f;
  w.start = ray.endless ? -1e30f : w.sense * om;
  constexpr float more = static_cast<float>(more_slices);
  w.axis = y > more * x ? (z > more * y ? 2 : 1) : (z > more * x ? 2 : 0);
  return w;
}

/// Rays too steep for the stack miss the grid (steep_view() refuses scans with other ones). Their steps may be
/// infinite.
__device__ inline bool too_steep(const RayPath& w) {
  constexpr float most = 1.001f * static_cast<float>(most_sideways);
  return !(w.du * w.du + w.dv * w.dv <= most * most);
}

/// The share of slice s's slab that lies on the ray's side of the source.
__device__ inline float slab_share(const RayPath& w, float slice) {
  return fminf(fmaxf(w.sense * slice - w.start + 0.5f, 0.0f), 1.0f);
}

/// Narrows slices [first, last] to those where -1 < at + s step < high; the ray misses the rectangles of the others.
__device__ inline void narrow(float at, float step, float high, int& first, int& last) {
  if (step == 0) {
    if (!(at > -1.0f && at < high)) last = first - 1;
    return;
  }
  const float s0 = (-1.0f - at) / step, s1 = (high - at) / step;
  first = max(first, static_cast<int>(ceilf(fmaxf(fminf(s0, s1), -1e9f))));
  last = min(last, static_cast<int>(floorf(fminf(fmaxf(s0, s1), 1e9f))));
}

}  // namespace backlit::cuda
