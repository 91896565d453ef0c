// The steps of the course: each kernel keeps one more thing close to the threads.
#include <backlit/core/error.hpp>
#include "projectors/shared/bilinear.hpp"
#include "study/cuda/kernels.hpp"
#include "study/cuda/project.cuh"

namespace backlit::cuda {
namespace {

constexpr int course_tile = 16;  // voxels of a block along x and y
constexpr int layers = 4;        // and along z, if a thread has several voxels
constexpr int patch = 3072;      // pixels that shared_projection can stage

struct Voxel {
  int i, j, k;
  __device__ bool in(const VolumeSlab& slab) const { return i < slab.nx && j < slab.ny && k < slab.nz; }
};
__device__ inline Voxel voxel_of_thread(int depth) {
  return {static_cast<int>(blockIdx.x * course_tile + threadIdx.x),
          static_cast<int>(blockIdx.y * course_tile + threadIdx.y), static_cast<int>(blockIdx.z) * depth};
}
__device__ inline Shadow shadow_of(const GeneralView& view, const VolumeSlab& slab, const Voxel& at) {
  return shadow_of(view, static_cast<float>(at.i), static_cast<float>(at.j), static_cast<float>(slab.z0 + at.k));
}
__device__ inline void add(const Sampling& s, const VolumeSlab& slab, const Voxel& at, float sum, bool with_unit) {
  float* voxel = voxel_of(slab, at.i, at.j, at.k);
  const float value = with_unit ? *s.unit * sum : sum;
  *voxel = slab.accumulate ? *voxel + value : value;
}

__global__ void global(__grid_constant__ const StudyLaunch l, __grid_constant__ const GeneralViews views) {
  const Voxel at = voxel_of_thread(1);
  if (!at.in(l.slab)) return;
  const int columns = static_cast<int>(l.sampling.columns), rows = static_cast<int>(l.sampling.rows);
  const PlaneLayout plane = image_plane(columns, rows);
  float sum = 0;
  for (int n = 0; n < views.count; ++n) {
    const Shadow s = shadow_of(views.view[n], l.slab, at);
    const float* image = l.images + std::int64_t{l.slots[n]} * columns * rows;
    sum = fmaf(weight_of(s, l.sampling.weighted), interpolate(image, plane, s.column - 0.5f, s.row - 0.5f), sum);
  }
  add(l.sampling, l.slab, at, sum, false);
}

__global__ void texture(__grid_constant__ const StudyLaunch l, __grid_constant__ const GeneralViews views) {
  const Voxel at = voxel_of_thread(1);
  if (!at.in(l.slab)) return;
  float sum = 0;
  for (int n = 0; n < views.count; ++n) {
    const Shadow s = shadow_of(views.view[n], l.slab, at);
    const float value = tex2DLayered<float>(l.sampling.texture, s.column, s.row, views.first_layer + n);
    sum = fmaf(weight_of(s, l.sampling.weighted), value, sum);
  }
  add(l.sampling, l.slab, at, sum, true);
}

/// Columns [column, column + width) and rows [row, row + height) of an image.
struct Patch {
  int column, row, width, height;
};

/// The pixels that samples of the block's voxels touch. The first eight threads find them from its corners: the
/// projection of a box lies within that of its corners. Empty if a corner lies behind the source.
__device__ inline Patch patch_of_block(const GeneralView& view, const VolumeSlab& slab, int lane) {
  const float x = static_cast<float>(blockIdx.x * course_tile + (lane & 1 ? course_tile - 1 : 0));
  const float y = static_cast<float>(blockIdx.y * course_tile + (lane & 2 ? course_tile - 1 : 0));
  const float z = static_cast<float>(slab.z0 + static_cast<int>(blockIdx.z) * layers + (lane & 4 ? layers - 1 : 0));
  const Shadow s = shadow_of(view, x, y, z);
  float low_c = s.column, high_c = s.column, low_r = s.row, high_r = s.row;
  bool before = s.per_depth > 0;
  for (int d = 4; d > 0; d /= 2) {
    low_c = fminf(low_c, __shfl_xor_sync(0xffu, low_c, d));
    high_c = fmaxf(high_c, __shfl_xor_sync(0xffu, high_c, d));
    low_r = fminf(low_r, __shfl_xor_sync(0xffu, low_r, d));
    high_r = fmaxf(high_r, __shfl_xor_sync(0xffu, high_r, d));
    before = __shfl_xor_sync(0xffu, before, d) && before;
  }
  if (!before || !(high_c - low_c < patch) || !(high_r - low_r < patch)) return {};
  // A margin for rounding.
  const int column = static_cast<int>(floorf(fmaxf(low_c, -1e6f) - 0.51f));
  const int row = static_cast<int>(floorf(fmaxf(low_r, -1e6f) - 0.51f));
  return {column, row, static_cast<int>(floorf(fminf(high_c, 1e6f) - 0.49f)) + 2 - column,
          static_cast<int>(floorf(fminf(high_r, 1e6f) - 0.49f)) + 2 - row};
}

__global__ void shared_projection(__grid_constant__ const StudyLaunch l, __grid_constant__ const GeneralViews views) {
  __shared__ float staged[patch];
  __shared__ Patch shared_patch;
  const Voxel base = voxel_of_thread(layers);
  const int thread = threadIdx.y * course_tile + threadIdx.x;
  const int columns = static_cast<int>(l.sampling.columns), rows = static_cast<int>(l.sampling.rows);
  const PlaneLayout image = image_plane(columns, rows);
  float sum[layers] = {};
  for (int n = 0; n < views.count; ++n) {
    const float* pixels = l.images + std::int64_t{l.slots[n]} * columns * rows;
    __syncthreads();  // the previous view's patch is no longer read
    if (thread < 8) {
      const Patch found = patch_of_block(views.view[n], l.slab, thread);
      if (thread == 0) shared_patch = found;
    }
    __syncthreads();
    const Patch p = shared_patch;
    const bool fits = p.width > 0 && p.height > 0 && p.width * p.height <= patch;
    if (fits)
      for (int at = thread; at < p.width * p.height; at += course_tile * course_tile) {
        const int c = p.column + at % p.width, r = p.row + at / p.width;
        const bool inside = c >= 0 && c < columns && r >= 0 && r < rows;
        staged[at] = inside ? pixels[std::int64_t{r} * columns + c] : 0.0f;
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < layers; ++k) {
      const Shadow s = shadow_of(views.view[n], l.slab, {base.i, base.j, base.k + k});
      const float u = s.column - 0.5f, v = s.row - 0.5f;
      float value;
      if (fits) {
        const float left = floorf(u), low = floorf(v), share_u = u - left, share_v = v - low;
        const float* q = staged + (static_cast<int>(low) - p.row) * p.width + static_cast<int>(left) - p.column;
        const float lower = fmaf(share_u, q[1] - q[0], q[0]);
        const float upper = fmaf(share_u, q[p.width + 1] - q[p.width], q[p.width]);
        value = fmaf(share_v, upper - lower, lower);
      } else {
        value = interpolate(pixels, image, u, v);
      }
      sum[k] = fmaf(weight_of(s, l.sampling.weighted), value, sum[k]);
    }
  }
  for (int k = 0; k < layers; ++k) {
    const Voxel at{base.i, base.j, base.k + k};
    if (at.in(l.slab)) add(l.sampling, l.slab, at, sum[k], false);
  }
}

__global__ void shared_volume(__grid_constant__ const StudyLaunch l, __grid_constant__ const GeneralViews views) {
  constexpr int staged_views = 32;
  __shared__ float sums[layers][course_tile][course_tile];
  __shared__ GeneralView staged[staged_views];
  const Voxel base = voxel_of_thread(layers);
  const int thread = threadIdx.y * course_tile + threadIdx.x;
  for (int k = 0; k < layers; ++k) sums[k][threadIdx.y][threadIdx.x] = 0;
  for (int first = 0; first < views.count; first += staged_views) {
    __syncthreads();  // the previous views are no longer read
    if (thread < staged_views && first + thread < views.count) staged[thread] = views.view[first + thread];
    __syncthreads();
    for (int n = 0; n < min(staged_views, views.count - first); ++n)
#pragma unroll
      for (int k = 0; k < layers; ++k) {
        const Shadow s = shadow_of(staged[n], l.slab, {base.i, base.j, base.k + k});
        const float value = tex2DLayered<float>(l.sampling.texture, s.column, s.row, views.first_layer + first + n);
        float& sum = sums[k][threadIdx.y][threadIdx.x];
        sum = fmaf(weight_of(s, l.sampling.weighted), value, sum);
      }
  }
  for (int k = 0; k < layers; ++k) {
    const Voxel at{base.i, base.j, base.k + k};
    if (at.in(l.slab)) add(l.sampling, l.slab, at, sums[k][threadIdx.y][threadIdx.x], true);
  }
}

}  // namespace

const std::vector<std::string>& course_kernels() {
  static const std::vector<std::string> names{"global", "texture", "shared_projection", "shared_volume"};
  return names;
}

void backproject_course(Stream& stream, const std::string& name, const StudyLaunch& l, const GeneralViews& views) {
  const auto run = [&](const char* label, auto kernel, int depth) {
    const dim3 block(course_tile, course_tile);
    const dim3 grid(blocks(l.slab.nx, course_tile), blocks(l.slab.ny, course_tile), blocks(l.slab.nz, depth));
    stream.launch(label, grid, block, 0, kernel, l, views);
  };
  if (name == "global") return run("global", global, 1);
  if (name == "texture") return run("texture", texture, 1);
  if (name == "shared_projection") return run("shared_projection", shared_projection, layers);
  run("shared_volume", shared_volume, layers);
}

}  // namespace backlit::cuda
