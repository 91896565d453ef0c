#include <cstdint>

#include "backproject/device.cuh"
#include "project/kernels.hpp"
#include "project/way.cuh"
#include "projector/slice_steps.hpp"

namespace backlit::cuda {
namespace {

/// Where texels end and which ray this thread has.
struct Place {
  int column, row;
};
__device__ inline bool place_in(const ProjectionTask& t, Place& p) {
  const TilePlace place = tile_place();
  p = {static_cast<int>(blockIdx.x) * tile_width + place.x,
       static_cast<int>(blockIdx.y * (blockDim.x / tile_width)) + place.y};
  return p.column < t.columns && p.row < t.rows;
}

/// The slices of the slab that a ray meets inside the grid.
__device__ inline void slices_met(const ProjectionTask& t, const StackSlab& s, const Way& w, int& first, int& last) {
  first = s.first;
  last = s.first + s.count - 1;
  narrow(w.u, w.du, static_cast<float>(s.axis == 0 ? t.size[1] : t.size[0]), first, last);
  narrow(w.v, w.dv, static_cast<float>(s.axis == 2 ? t.size[1] : t.size[2]), first, last);
}

/// A block passes its rays over the slab for this many neighbouring views, which find the slab's texels in the L1
/// cache: from view to view a bundle of rays moves by a few voxels only.
__device__ inline int views_of_block(const ProjectionTask& t, int& first) {
  first = blockIdx.z * t.views_per_block;
  return min(t.views, first + t.views_per_block);
}

template <bool clipped>
__global__ void __launch_bounds__(256, 6)
    project(__grid_constant__ const ProjectionTask t, __grid_constant__ const StackSlab s) {
  Place p;
  if (!place_in(t, p)) return;
  int n;
  for (const int end = views_of_block(t, n); n < end; ++n) {
    const ProjectedView& view = t.view[n];
    const Way w = way_through(make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row)), s.axis);
    int first, last;
    slices_met(t, s, w, first, last);
    if (w.axis != s.axis || last < first) continue;
    float sum = 0;
    float u = fmaf(static_cast<float>(first), w.du, w.u) + 0.5f, v = fmaf(static_cast<float>(first), w.dv, w.v) + 0.5f;
#pragma unroll 8
    for (int i = first; i <= last; ++i, u += w.du, v += w.dv) {
      const float value = tex2DLayered<float>(s.texture, u, v, i - s.first);
      sum = clipped ? fmaf(slab_share(w, static_cast<float>(i)), value, sum) : sum + value;
    }
    float& pixel = t.projections[view.slot[0] + std::int64_t{p.row} * t.columns + p.column];
    pixel = fmaf(sum, w.length * *s.unit, pixel);
  }
}

__global__ void __launch_bounds__(256, 6)
    project_orbit(__grid_constant__ const ProjectionTask t, __grid_constant__ const StackSlab s) {
  Place p;
  if (!place_in(t, p)) return;
  int n;
  for (const int end = views_of_block(t, n); n < end; ++n) {
    const ProjectedView& view = t.view[n];
    const Way w = way_through(make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row)), 0);
    int first, last;
    slices_met(t, s, w, first, last);
    if (last < first) continue;
    float4 sum = {};
    float u = fmaf(static_cast<float>(first), w.du, w.u) + 0.5f, v = fmaf(static_cast<float>(first), w.dv, w.v) + 0.5f;
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
    for (int c = 0; c < 4; ++c) {
      float& pixel = t.projections[view.slot[c] + std::int64_t{p.row} * t.columns + p.column];
      pixel = fmaf(sums[c], length, pixel);
    }
  }
}

__global__ void exact(__grid_constant__ const ProjectionTask t, const float* __restrict__ volume) {
  Place p;
  if (!place_in(t, p)) return;
  const ProjectedView& view = t.view[blockIdx.z];
  const Ray<float> ray = make_ray(view.frame, static_cast<float>(p.column), static_cast<float>(p.row));
  VoxelBox box{};
  for (int i = 0; i < 3; ++i) box.upper[i] = box.size[i] = t.size[i];
  t.projections[view.slot[0] + std::int64_t{p.row} * t.columns + p.column] += sum_slices(slice_steps(ray, box), volume);
}

template <class Kernel, class Source>
void start(Stream& stream, const char* name, Kernel kernel, const ProjectionTask& t, const Source& source) {
  const dim3 block(256);
  const dim3 grid(blocks(t.columns, tile_width), blocks(t.rows, block.x / tile_width),
                  blocks(t.views, t.views_per_block));
  stream.launch(name, grid, block, 0, kernel, t, source);
}

}  // namespace

void project_slab(Stream& stream, const ProjectionTask& t, const StackSlab& s) {
  start(stream, "project", t.clipped ? project<true> : project<false>, t, s);
}

void project_orbit_slab(Stream& stream, const ProjectionTask& t, const StackSlab& s) {
  start(stream, "project orbit", project_orbit, t, s);
}

void project_exact(Stream& stream, ProjectionTask t, const float* volume) {
  t.views_per_block = 1;
  start(stream, "project exact", exact, t, volume);
}

}  // namespace backlit::cuda
