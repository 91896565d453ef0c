#include <cstdint>

#include "cuda/joseph/path.cuh"
#include "cuda/shared/pixel.cuh"
#include "projectors/joseph/slice_steps.hpp"

namespace backlit::cuda {
namespace {

/// The slices of the slab that a ray meets inside the grid.
__device__ inline void slices_met(const ProjectionTask& t, const StackSlab& s, const RayPath& w, int& first,
                                  int& last) {
  first = s.first;
  last = s.first + s.count - 1;
  narrow(w.u, w.du, static_cast<float>(s.axis == 0 ? t.size[1] : t.size[0]), first, last);
  narrow(w.v, w.dv, static_cast<float>(s.axis == 2 ? t.size[1] : t.size[2]), first, last);
}

/// Work of the eight warps of a block, each of which has 8 x 4 rays: X x Y tiles of rays, and several views.
/// Neighbouring views of the same rays find their texels in the L1 cache: from view to view a bundle of rays moves by a
/// few voxels only.
template <int X, int Y>
struct Share {
  static constexpr int views = 8 / (X * Y), columns = 8 * X, rows = 4 * Y;
  Pixel pixel;
  int view;
  __device__ Share() {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    pixel.column = (blockIdx.x * X + warp % X) * 8 + ((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4));
    pixel.row = (blockIdx.y * Y + warp / X % Y) * 4 + ((lane >> 1 & 1) | (lane >> 2 & 2));
    view = warp / (X * Y);
  }
};

/// Adds without waiting for the old value. Reading it first would spend half of the time on memory (cone512 packed:
/// 2,125 against 3,335 G samples/s). Each pixel has one thread per launch, so the order of sums is fixed.
__device__ inline void add_to(float* pixel, float value) { atomicAdd(pixel, value); }

/// Calls add(view, pixel, path, first, last) for this thread's rays that meet the slab and are `accepted`; first and
/// last are the slices that a ray meets.
template <int X, int Y, class Accepted, class Add>
__device__ inline void for_rays(const ProjectionTask& t, const StackSlab& s, int axis, Accepted&& accepted, Add&& add) {
  const Share<X, Y> share;
  const Pixel p = share.pixel;
  if (p.column >= t.columns || p.row >= t.rows) return;
  const int end = min(t.views, static_cast<int>(blockIdx.z + 1) * t.views_per_block);
  for (int n = blockIdx.z * t.views_per_block + share.view; n < end; n += share.views) {
    const ProjectedView& view = t.view[n];
    const RayPath w = path_through(make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row)), axis);
    int first, last;
    slices_met(t, s, w, first, last);
    if (last >= first && accepted(view, w)) add(view, p, w, first, last);
  }
}

/// Whether the ray goes through the slab's stack.
__device__ inline bool through(const StackSlab& s, const ProjectedView& view, const RayPath& w) {
  return view.axis < 0 ? w.axis == s.axis : view.axis == s.axis && !too_steep(w);
}

template <int X, int Y, bool clipped>
__global__ void __launch_bounds__(256, 6)
    project(__grid_constant__ const ProjectionTask t, __grid_constant__ const StackSlab s) {
  const auto accepted = [&](const ProjectedView& view, const RayPath& w) { return through(s, view, w); };
  for_rays<X, Y>(t, s, s.axis, accepted,
                 [&](const ProjectedView& view, const Pixel& p, const RayPath& w, int first, int last) {
                   float sum = 0;
                   float u = fmaf(static_cast<float>(first), w.du, w.u) + 0.5f,
                         v = fmaf(static_cast<float>(first), w.dv, w.v) + 0.5f;
#pragma unroll 8
                   for (int i = first; i <= last; ++i, u += w.du, v += w.dv) {
                     const float value = tex2DLayered<float>(s.texture, u, v, i - s.first);
                     sum = clipped ? fmaf(slab_share(w, static_cast<float>(i)), value, sum) : sum + value;
                   }
                   add_to(pixel_at(t, view, p), sum * w.length * *s.unit);
                 });
}

/// The four texels around (u, v), texture coordinates of their common corner: (0, 1), (1, 1), (1, 0), (0, 0).
__device__ inline float4 texels_about(cudaTextureObject_t texture, float u, float v, int layer) {
  float4 t;
  asm("tld4.r.a2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(t.x), "=f"(t.y), "=f"(t.z), "=f"(t.w)
      : "l"(texture), "r"(layer), "f"(u), "f"(v));
  return t;
}

/// The bilinear value at (u, v), with fp32 weights: the filter's have 8 bits.
__device__ inline float interpolated(cudaTextureObject_t texture, float u, float v, int layer) {
  const float u0 = floorf(u), v0 = floorf(v), du = u - u0, dv = v - v0;
  const float4 t = texels_about(texture, u0 + 1, v0 + 1, layer);
  const float lower = fmaf(du, t.z - t.w, t.w), upper = fmaf(du, t.y - t.x, t.x);
  return fmaf(dv, upper - lower, lower);
}

/// project(), interpolated in software.
template <int X, int Y, bool clipped>
__global__ void __launch_bounds__(256, 6)
    project_texels(__grid_constant__ const ProjectionTask t, __grid_constant__ const StackSlab s) {
  const auto accepted = [&](const ProjectedView& view, const RayPath& w) { return through(s, view, w); };
  for_rays<X, Y>(t, s, s.axis, accepted,
                 [&](const ProjectedView& view, const Pixel& p, const RayPath& w, int first, int last) {
                   float sum = 0;
#pragma unroll 4
                   for (int i = first; i <= last; ++i) {
                     const float at = static_cast<float>(i);
                     const float value = interpolated(s.texture, fmaf(at, w.du, w.u), fmaf(at, w.dv, w.v), i - s.first);
                     sum = clipped ? fmaf(slab_share(w, at), value, sum) : sum + value;
                   }
                   add_to(pixel_at(t, view, p), sum * w.length);
                 });
}

template <int X, int Y>
__global__ void __launch_bounds__(256, 6)
    project_orbit(__grid_constant__ const ProjectionTask t, __grid_constant__ const StackSlab s) {
  const auto accepted = [&](const ProjectedView&, const RayPath& w) { return !too_steep(w); };
  for_rays<X, Y>(t, s, 0, accepted,
                 [&](const ProjectedView& view, const Pixel& p, const RayPath& w, int first, int last) {
                   float4 sum = {};
                   float u = fmaf(static_cast<float>(first), w.du, w.u) + 0.5f,
                         v = fmaf(static_cast<float>(first), w.dv, w.v) + 0.5f;
#pragma unroll 8
                   for (int i = first; i <= last; ++i, u += w.du, v += w.dv) {
                     const float4 value = tex2DLayered<float4>(s.texture, u, v, i - s.first);
                     sum.x += value.x;
                     sum.y += value.y;
                     sum.z += value.z;
                     sum.w += value.w;
                   }
                   const float length = w.length * *s.unit;
                   const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
                   for (int c = 0; c < 4; ++c) add_to(pixel_at(t, view, p, c), sums[c] * length);
                 });
}

/// The axis of the stack that a ray goes through; -1: the ray is too steep for its view's stack.
__device__ inline int stack_of(const ProjectedView& view, const Ray<float>& ray) {
  if (view.axis < 0) return main_axis(ray.direction);
  return backlit::too_steep(ray.direction, view.axis) ? -1 : view.axis;
}

__global__ void exact(__grid_constant__ const ProjectionTask t, const float* __restrict__ volume) {
  Pixel p;
  if (!pixel_of_thread(t, p)) return;
  const ProjectedView& view = t.view[blockIdx.z];
  const Ray<float> ray = make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row));
  const int axis = stack_of(view, ray);
  if (axis >= 0) *pixel_at(t, view, p) += sum_slices(slice_steps(ray, whole_box(t), axis), volume);
}

/// The same for few views, whose rays are too few for the device. A block has 32 rays, and each of its warps takes
/// every eighth slice of them.
__global__ void __launch_bounds__(256)
    exact_shared(__grid_constant__ const ProjectionTask t, const float* __restrict__ volume) {
  const Share<1, 1> share;
  const Pixel p = share.pixel;
  const ProjectedView& view = t.view[blockIdx.z];
  const Ray<float> ray = make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row));
  const int axis = stack_of(view, ray);
  const bool exists = p.column < t.columns && p.row < t.rows && axis >= 0;
  const auto s = slice_steps(ray, whole_box(t), max(axis, 0));
  float sum = 0;
  if (exists)
#pragma unroll 2
    for (std::int64_t i = s.first + share.view; i <= s.last; i += Share<1, 1>::views)
      sum += slab_length(s, i) * interpolate(volume + i * s.stride, s.plane, s.u + static_cast<float>(i) * s.du,
                                             s.v + static_cast<float>(i) * s.dv);
  __shared__ float part[256];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (share.view > 0 || !exists) return;
  for (int n = 1; n < Share<1, 1>::views; ++n) sum += part[threadIdx.x + 32 * n];
  *pixel_at(t, view, p) += sum;
}

template <int X, int Y, class Kernel>
void start(Stream& stream, const char* name, Kernel kernel, const ProjectionTask& t, const StackSlab& s) {
  using Tile = Share<X, Y>;
  const dim3 grid(blocks(t.columns, Tile::columns), blocks(t.rows, Tile::rows), blocks(t.views, t.views_per_block));
  stream.launch(name, grid, dim3(256), 0, kernel, t, s);
}

}  // namespace

void project_slab(Stream& stream, const ProjectionTask& t, const StackSlab& s) {
  start<2, 2>(stream, "project", t.clipped ? project<2, 2, true> : project<2, 2, false>, t, s);
}

void project_slab_exactly(Stream& stream, const ProjectionTask& t, const StackSlab& s) {
  start<2, 2>(stream, "project exact", t.clipped ? project_texels<2, 2, true> : project_texels<2, 2, false>, t, s);
}

void project_orbit_slab(Stream& stream, const ProjectionTask& t, const StackSlab& s) {
  start<1, 2>(stream, "project orbit", project_orbit<1, 2>, t, s);
}

void project_exact(Stream& stream, const ProjectionTask& t, const float* volume) {
  constexpr std::int64_t many = 1 << 19;  // rays, about twice the number of threads that run at a time
  if (std::int64_t{t.views} * t.columns * t.rows < many) {
    using Tile = Share<1, 1>;
    const dim3 grid(blocks(t.columns, Tile::columns), blocks(t.rows, Tile::rows), static_cast<unsigned>(t.views));
    return stream.launch("project exact, shared", grid, dim3(256), 0, exact_shared, t, volume);
  }
  const dim3 block(256);
  const dim3 grid(blocks(t.columns, tile_width), blocks(t.rows, block.x / tile_width), static_cast<unsigned>(t.views));
  stream.launch("project exact", grid, block, 0, exact, t, volume);
}

}  // namespace backlit::cuda
