#include <cstdint>

#include "backproject/device.cuh"
#include "project/kernels.hpp"
#include "project/way.cuh"

namespace backlit::cuda {
namespace {

/// Detector pixels [first_column, last_column] x [first_row, last_row].
struct PixelBox {
  int first_column, last_column, first_row, last_row;
};

/// The pixels whose rays can come within one voxel of (u, v) in slice s along `axis`: those inside the projection of
/// the square around it.
__device__ inline PixelBox pixels_near(const ProjectionTask& t, const ViewMap<float>& map, int axis, float s, float u,
                                       float v) {
  float low_c = 1e9f, high_c = -1e9f, low_r = 1e9f, high_r = -1e9f;
#pragma unroll
  for (int corner = 0; corner < 4; ++corner) {
    const float cu = u + (corner & 1 ? 1.0f : -1.0f), cv = v + (corner & 2 ? 1.0f : -1.0f);
    const float x = axis == 0 ? s : cu, y = axis == 0 ? cu : axis == 1 ? s : cv, z = axis == 2 ? s : cv;
    const auto at = project_point(map, x, y, z);
    // A square that reaches behind the source projects to no box: look at all pixels (rare, and still right).
    if (!(at.depth > 0)) return {0, t.columns - 1, 0, t.rows - 1};
    low_c = fminf(low_c, at.column);
    high_c = fmaxf(high_c, at.column);
    low_r = fminf(low_r, at.row);
    high_r = fmaxf(high_r, at.row);
  }
  // A little more than the corners: on curved detectors the square's edges bulge.
  constexpr float margin = 0.02f;
  return {max(0, static_cast<int>(ceilf(fmaxf(low_c - margin, -1.0f)))),
          min(t.columns - 1, static_cast<int>(floorf(fminf(high_c + margin, 1e6f)))),
          max(0, static_cast<int>(ceilf(fmaxf(low_r - margin, -1.0f)))),
          min(t.rows - 1, static_cast<int>(floorf(fminf(high_r + margin, 1e6f))))};
}

/// Sum over the rays of a view of what they give to the voxel at (u, v) of slice s.
__device__ inline float gather(const ProjectionTask& t, const ProjectedView& view, int axis, float s, float u,
                               float v) {
  const PixelBox box = pixels_near(t, view.map, axis, s, u, v);
  const float* image = t.projections + view.slot[0];
  float sum = 0;
  for (int row = box.first_row; row <= box.last_row; ++row)
    for (int column = box.first_column; column <= box.last_column; ++column) {
      const Way w = way_through(make_ray(view.frame, static_cast<float>(column), static_cast<float>(row)), axis);
      const float near_u = 1 - fabsf(fmaf(s, w.du, w.u) - u), near_v = 1 - fabsf(fmaf(s, w.dv, w.v) - v);
      if (w.axis != axis || near_u <= 0 || near_v <= 0) continue;
      sum = fmaf(near_u * near_v * w.length * slab_share(w, s), image[std::int64_t{row} * t.columns + column], sum);
    }
  return sum;
}

__global__ void transpose(__grid_constant__ const ProjectionTask t, float* volume, bool accumulate) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  if (i >= t.size[0] || j >= t.size[1]) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(k);
  float sum = 0;
  for (int n = 0; n < t.views; ++n) {
    const ProjectedView& view = t.view[n];
    if (view.axes & 1u) sum += gather(t, view, 0, x, y, z);
    if (view.axes & 2u) sum += gather(t, view, 1, y, x, z);
    if (view.axes & 4u) sum += gather(t, view, 2, z, x, y);
  }
  float& voxel = volume[(std::int64_t{k} * t.size[1] + j) * t.size[0] + i];
  voxel = accumulate ? voxel + sum : sum;
}

}  // namespace

void backproject_slices(Stream& stream, const ProjectionTask& t, float* volume, bool accumulate) {
  const dim3 block(256);
  const dim3 grid(blocks(t.size[0], tile_width), blocks(t.size[1], block.x / tile_width),
                  static_cast<unsigned>(t.size[2]));
  stream.launch("backproject slices", grid, block, 0, transpose, t, volume, accumulate);
}

}  // namespace backlit::cuda
