#include "cuda/lines_of_response/sums.hpp"

#include "cuda/lines_of_response/fixed_point.cuh"

namespace backlit::cuda {
namespace {

constexpr int threads = 512;
constexpr int scale_blocks = 64;

/// Sum and largest of absolute values; a partial result per block.
__global__ void magnitude_kernel(const float* values, std::int64_t n, float* partial) {
  float sum = 0, largest = 0;
  for (std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x; i < n;
       i += std::int64_t{threads} * gridDim.x) {
    const float value = fabsf(values[i]);
    sum += value;
    largest = fmaxf(largest, value);
  }
  sum = sum_over_block(sum);
  largest = largest_of_block(largest);
  if (threadIdx.x == 0) {
    partial[2 + 2 * blockIdx.x] = sum;
    partial[3 + 2 * blockIdx.x] = largest;
  }
}

/// The largest power of two that keeps (all values or the largest) times `weight` below 2^61.
__global__ void scale_kernel(float* partial, bool of_sum, float weight) {
  float bound = 0;
  for (int i = 0; i < scale_blocks; ++i) bound = of_sum ? bound + partial[2 + 2 * i] : fmaxf(bound, partial[3 + 2 * i]);
  bound *= weight;
  partial[of_sum ? 1 : 0] = bound > 0 ? ldexpf(1.0f, max(-120, min(120, 60 - ilogbf(bound) - 1))) : 1.0f;
}

__global__ void finish_kernel(const long long* sums, const float* scale, std::int64_t n, float* values,
                              bool accumulate) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= n) return;
  const float value = static_cast<float>(sums[i]) / *scale;
  values[i] = accumulate ? values[i] + value : value;
}

}  // namespace

void prepare(Stream& stream, LineScratch& scratch, std::int64_t lines, std::int64_t voxels) {
  if (scratch.lines.count() < lines) scratch.lines = PoolBuffer<long long>(stream, lines);
  if (scratch.voxels.count() < voxels) scratch.voxels = PoolBuffer<long long>(stream, voxels);
  if (scratch.scale.count() == 0) scratch.scale = PoolBuffer<float>(stream, 2 + 2 * scale_blocks);
}

void choose_scale(Stream& stream, LineScratch& scratch, const float* values, std::int64_t n, bool of_voxels,
                  float weight) {
  stream.launch("magnitude", scale_blocks, threads, 0, magnitude_kernel, values, n, scratch.scale.data());
  stream.launch("scale", 1, 1, 0, scale_kernel, scratch.scale.data(), of_voxels, weight);
}

void finish_sums(Stream& stream, const char* name, const long long* sums, const float* scale, std::int64_t n,
                 float* values, bool accumulate) {
  stream.launch(name, blocks(n, threads), threads, 0, finish_kernel, sums, scale, n, values, accumulate);
}

}  // namespace backlit::cuda
