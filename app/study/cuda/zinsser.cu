#include <algorithm>

#include <backlit/core/error.hpp>
#include "study/cuda/kernels.hpp"
#include "study/cuda/project.cuh"

namespace backlit::cuda {
namespace {

/// The sample of a view; without fetches a value that depends on the same coordinates.
template <Part part>
__device__ inline float sample(const Sampling& s, const Shadow& at, int layer) {
  if constexpr (part == Part::full) return tex2DLayered<float>(s.texture, at.column, at.row, layer);
  return at.column + at.row;
}

/// Adds to a voxel. Without the volume it adds only for a sum that never occurs, so that the compiler keeps the sum.
template <Part part>
__device__ inline void add(const Sampling& s, const VolumeSlab& slab, float* voxel, float sum) {
  if (part == Part::instructions && sum != -1.25e37f) return;
  *voxel = slab.accumulate ? fmaf(*s.unit, sum, *voxel) : *s.unit * sum;
}

/// Kernel A: processes one voxel after the other, with all views of the pass for each.
template <int I, int K, Part part>
__global__ void kernel_a(__grid_constant__ const Sampling s, __grid_constant__ const GeneralViews views,
                         __grid_constant__ const VolumeSlab slab) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = blockIdx.z * K;
  if (i >= slab.nx || j >= slab.ny) return;
#pragma unroll 1
  for (int k = first; k < min(first + K, slab.nz); ++k) {
    float sum = 0;
#pragma unroll 4
    for (int n = 0; n < I; ++n) {
      if (n >= views.count) break;
      const Shadow at =
          shadow_of(views.view[n], static_cast<float>(i), static_cast<float>(j), static_cast<float>(slab.z0 + k));
      sum = fmaf(weight_of(at, s.weighted), sample<part>(s, at, views.first_layer + n), sum);
    }
    add<part>(s, slab, voxel_of(slab, i, j, k), sum);
  }
}

/// Kernel B: processes one view after the other, with K voxels of a column for each; their sums stay in registers.
template <int I, int K, bool synchronised, Part part>
__global__ void kernel_b(__grid_constant__ const Sampling s, __grid_constant__ const GeneralViews views,
                         __grid_constant__ const VolumeSlab slab) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const int first = blockIdx.z * K;
  const float x = static_cast<float>(i), y = static_cast<float>(j), z = static_cast<float>(slab.z0 + first);
  float sum[K] = {};
#pragma unroll 1
  for (int n = 0; n < I; ++n) {
    if (n >= views.count) break;
    if (synchronised) __syncthreads();
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const Shadow at = shadow_of(views.view[n], x, y, z + static_cast<float>(k));
      sum[k] = fmaf(weight_of(at, s.weighted), sample<part>(s, at, views.first_layer + n), sum[k]);
    }
  }
  if (i >= slab.nx || j >= slab.ny) return;
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (first + k < slab.nz) add<part>(s, slab, voxel_of(slab, i, j, first + k), sum[k]);
}

using Kernel = void (*)(Sampling, GeneralViews, VolumeSlab);

template <int I, int K>
constexpr ZinsserKernel kernel_a_of(const char* name, int columns, int rows) {
  return {name, I,
          K,    columns,
          rows, {kernel_a<I, K, Part::full>, kernel_a<I, K, Part::no_fetch>, kernel_a<I, K, Part::instructions>}};
}
template <int I, int K, bool sync = false>
constexpr ZinsserKernel kernel_b_of(const char* name, int columns, int rows) {
  return {name,
          I,
          K,
          columns,
          rows,
          {kernel_b<I, K, sync, Part::full>, kernel_b<I, K, sync, Part::no_fetch>,
           kernel_b<I, K, sync, Part::instructions>}};
}

/// Bytes of shared memory for a block that allow exactly as many blocks for each multiprocessor as `full` has.
std::size_t memory_to_hold(Kernel full, Kernel part, int threads) {
  int blocks = 0, device = 0, whole = 0, reserved = 0, most = 0;
  BACKLIT_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, full, threads, 0));
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&whole, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int bytes = std::clamp((whole / std::max(blocks, 1) - reserved) / 128 * 128, 0, most);
  BACKLIT_CUDA(cudaFuncSetAttribute(part, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return static_cast<std::size_t>(bytes);
}

}  // namespace

const std::vector<ZinsserKernel>& zinsser_kernels() {
  static const std::vector<ZinsserKernel> all{
      kernel_a_of<1, 4>("kernel_a,i1,k4", 16, 16),     kernel_a_of<4, 8>("kernel_a,i4,k8", 16, 16),
      kernel_a_of<16, 8>("kernel_a,i16,k8", 16, 16),   kernel_a_of<64, 8>("kernel_a,i64,k8", 16, 16),
      kernel_b_of<16, 4>("kernel_b,i16,k4", 16, 16),   kernel_b_of<64, 8>("kernel_b,i64,k8", 16, 16),
      kernel_b_of<64, 16>("kernel_b,i64,k16", 32, 16), kernel_b_of<64, 16, true>("kernel_b,i64,k16,sync", 32, 16)};
  return all;
}

void backproject_zinsser(Stream& stream, const ZinsserKernel& k, Part part, const StudyLaunch& l,
                         const GeneralViews& views) {
  const Kernel kernel = k.parts[static_cast<int>(part)];
  const dim3 block(static_cast<unsigned>(k.columns), static_cast<unsigned>(k.rows));
  const dim3 grid(blocks(l.slab.nx, k.columns), blocks(l.slab.ny, k.rows), blocks(l.slab.nz, k.slices));
  const std::size_t held = part == Part::full ? 0 : memory_to_hold(k.parts[0], kernel, k.columns * k.rows);
  stream.launch(k.name, grid, block, held, kernel, l.sampling, views, l.slab);
}

}  // namespace backlit::cuda
