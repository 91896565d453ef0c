// The transpose gathers: for each voxel the rays near it. A ray is prepared once, and not once for each voxel that it
// may touch: a first kernel writes the paths of some views' rays to a table, which the second reads.
#include <cstdint>

#include "cuda/joseph/kernels.hpp"
#include "cuda/joseph/path.cuh"
#include "cuda/voxel_driven/device.cuh"

namespace backlit::cuda {
namespace {

__global__ void fill_paths(__grid_constant__ const ProjectionTask t, __grid_constant__ const PathTable table,
                           int first) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= t.columns || row >= t.rows) return;
  const Ray<float> ray =
      make_ray(t.view[first + blockIdx.z].frame, static_cast<float>(column), static_cast<float>(row));
  const RayPath w = path_through(ray, main_axis(ray.direction));
  const std::int64_t at = (std::int64_t{blockIdx.z} * t.rows + row) * t.columns + column;
  table.place[at] = {w.u, w.du, w.v, w.dv};
  table.length[at] = {w.length, static_cast<float>(w.axis)};
  if (t.clipped) table.start[at] = {w.sense, w.start};
}

/// Detector pixels [first_column, last_column] x [first_row, last_row].
struct PixelBox {
  int first_column, last_column, first_row, last_row;
};

struct Place {
  float column, row;
  bool ahead;  ///< in front of the source
};
template <bool flat>
__device__ inline Place place_of(const ViewMap<float>& m, float x, float y, float z) {
  if constexpr (!flat) {
    const auto at = project_point(m, x, y, z);
    return {at.column, at.row, at.depth > 0};
  }
  const float w = fmaf(m.w[0], x, fmaf(m.w[1], y, fmaf(m.w[2], z, m.w[3]))), r = reciprocal(w);
  return {r * fmaf(m.a[0], x, fmaf(m.a[1], y, fmaf(m.a[2], z, m.a[3]))),
          r * fmaf(m.b[0], x, fmaf(m.b[1], y, fmaf(m.b[2], z, m.b[3]))), w > 0};
}

/// The pixels whose rays can come within one voxel of (u, v) in slice s along `axis`: they lie inside the projection of
/// the square around it.
template <bool flat>
__device__ inline PixelBox pixels_near(const ProjectionTask& t, const ViewMap<float>& map, int axis, float s, float u,
                                       float v) {
  float low_c = 1e9f, high_c = -1e9f, low_r = 1e9f, high_r = -1e9f;
#pragma unroll
  for (int corner = 0; corner < 4; ++corner) {
    const float cu = u + (corner & 1 ? 1.0f : -1.0f), cv = v + (corner & 2 ? 1.0f : -1.0f);
    const float x = axis == 0 ? s : cu, y = axis == 0 ? cu : axis == 1 ? s : cv, z = axis == 2 ? s : cv;
    const Place at = place_of<flat>(map, x, y, z);
    // A square that reaches behind the source projects to no box: look at all pixels (rare, and still correct).
    if (!at.ahead) return {0, t.columns - 1, 0, t.rows - 1};
    low_c = fminf(low_c, at.column);
    high_c = fmaxf(high_c, at.column);
    low_r = fminf(low_r, at.row);
    high_r = fmaxf(high_r, at.row);
  }
  // A little more than the corners: on curved detectors the square's edges bulge, on flat ones there is rounding.
  constexpr float margin = flat ? 0.005f : 0.02f;
  return {max(0, static_cast<int>(ceilf(fmaxf(low_c - margin, -1.0f)))),
          min(t.columns - 1, static_cast<int>(floorf(fminf(high_c + margin, 1e6f)))),
          max(0, static_cast<int>(ceilf(fmaxf(low_r - margin, -1.0f)))),
          min(t.rows - 1, static_cast<int>(floorf(fminf(high_r + margin, 1e6f))))};
}

/// Sum over the rays of a view of their contributions to the voxel at (u, v) of slice s. `paths`: start of the view in
/// the table.
template <bool flat, bool clipped>
__device__ inline float gather(const ProjectionTask& t, const PathTable& table, std::int64_t paths,
                               const ProjectedView& view, int axis, float s, float u, float v) {
  const PixelBox box = pixels_near<flat>(t, view.map, axis, s, u, v);
  float sum = 0;
  for (int row = box.first_row; row <= box.last_row; ++row)
    for (int column = box.first_column; column <= box.last_column; ++column) {
      const std::int64_t pixel = std::int64_t{row} * t.columns + column;
      const float4 w = table.place[paths + pixel];
      const float2 length = table.length[paths + pixel];
      const float near_u = 1 - fabsf(fmaf(s, w.y, w.x) - u), near_v = 1 - fabsf(fmaf(s, w.w, w.z) - v);
      if (length.y != static_cast<float>(axis) || near_u <= 0 || near_v <= 0) continue;
      float share = near_u * near_v * length.x;
      if (clipped) {
        const float2 start = table.start[paths + pixel];
        share *= fminf(fmaxf(fmaf(start.x, s, -start.y) + 0.5f, 0.0f), 1.0f);
      }
      sum = fmaf(share, t.projections[view.slot[0] + pixel], sum);
    }
  return sum;
}

template <bool flat, bool clipped>
__global__ void __launch_bounds__(256)
    transpose(__grid_constant__ const ProjectionTask t, __grid_constant__ const PathTable table, int first, int count,
              float* volume, bool accumulate) {
  const TilePlace place = tile_place();
  const int i = blockIdx.x * tile_width + place.x;
  const int j = blockIdx.y * (blockDim.x / tile_width) + place.y;
  const int k = blockIdx.z;
  if (i >= t.size[0] || j >= t.size[1]) return;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(k);
  float sum = 0;
  for (int n = 0; n < count; ++n) {
    const ProjectedView& view = t.view[first + n];
    const std::int64_t paths = std::int64_t{n} * t.rows * t.columns;
    if (view.axes & 1u) sum += gather<flat, clipped>(t, table, paths, view, 0, x, y, z);
    if (view.axes & 2u) sum += gather<flat, clipped>(t, table, paths, view, 1, y, x, z);
    if (view.axes & 4u) sum += gather<flat, clipped>(t, table, paths, view, 2, z, x, y);
  }
  float& voxel = volume[(std::int64_t{k} * t.size[1] + j) * t.size[0] + i];
  voxel = accumulate ? voxel + sum : sum;
}

}  // namespace

void backproject_slices(Stream& stream, const ProjectionTask& t, const PathTable& table, bool flat, float* volume,
                        bool accumulate) {
  const dim3 rays(32, 8), block(256);
  const dim3 grid(blocks(t.size[0], tile_width), blocks(t.size[1], block.x / tile_width),
                  static_cast<unsigned>(t.size[2]));
  for (int first = 0; first < t.views; first += table.views) {
    const int count = min(table.views, t.views - first);
    const dim3 pixels(blocks(t.columns, rays.x), blocks(t.rows, rays.y), static_cast<unsigned>(count));
    stream.launch("ray paths", pixels, rays, 0, fill_paths, t, table, first);
    const auto run = [&](auto kernel) {
      stream.launch("backproject slices", grid, block, 0, kernel, t, table, first, count, volume,
                    accumulate || first > 0);
    };
    if (flat)
      t.clipped ? run(transpose<true, true>) : run(transpose<true, false>);
    else
      t.clipped ? run(transpose<false, true>) : run(transpose<false, false>);
  }
}

}  // namespace backlit::cuda
