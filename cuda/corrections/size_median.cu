#include <algorithm>

#include "cuda/corrections/images.hpp"
#include "cuda/corrections/size_median.hpp"

namespace backlit::cuda {
namespace {

constexpr int most_bins = 2048;

/// Bits of a magnitude that a pass looks at: 30 to 20, 19 to 10, 9 to 0.
__device__ int shift_of(int pass) { return 20 - 10 * pass; }
__device__ unsigned bin_of(unsigned bits, int pass) { return bits >> shift_of(pass) & (pass == 0 ? 2047u : 1023u); }

__global__ void start(uint2* search, unsigned* bins, unsigned rank) {
  for (int i = threadIdx.x; i < most_bins; i += blockDim.x) bins[blockIdx.x * most_bins + i] = 0;
  if (threadIdx.x == 0) search[blockIdx.x] = {0, rank};
}

__global__ void count(const float* values, std::int64_t pixels, const uint2* search, unsigned* bins, int pass) {
  __shared__ unsigned own[most_bins];
  for (int i = threadIdx.x; i < most_bins; i += blockDim.x) own[i] = 0;
  __syncthreads();
  const unsigned prefix = search[blockIdx.y].x;
  const float* const image = values + blockIdx.y * pixels;
  for (std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x; first < pixels;
       first += std::int64_t{gridDim.x} * blockDim.x) {
    const std::int64_t i = first + threadIdx.x;
    const unsigned bits = i < pixels ? __float_as_uint(image[i]) & 0x7fffffffu : 0;
    const bool counts = i < pixels && (pass == 0 || bits >> (shift_of(pass) + 10) == prefix);
    const unsigned lanes = __ballot_sync(0xffffffffu, counts), bin = bin_of(bits, pass);
    if (!counts) continue;
    int alike = 0;  // what lies beside the object is often all the same
    __match_all_sync(lanes, bin, &alike);
    if (!alike)
      atomicAdd(&own[bin], 1u);
    else if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(lanes)) - 1)
      atomicAdd(&own[bin], static_cast<unsigned>(__popc(lanes)));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < most_bins; i += blockDim.x)
    if (own[i] > 0) atomicAdd(&bins[blockIdx.y * most_bins + i], own[i]);
}

/// Finds the bin that holds the rank, and empties all bins.
__global__ void choose(uint2* search, unsigned* bins, int pass, float* medians) {
  constexpr int each = most_bins / block_threads;
  __shared__ unsigned sums[block_threads];
  unsigned* const mine = bins + blockIdx.x * most_bins + threadIdx.x * each;
  unsigned sum = 0;
  for (int i = 0; i < each; ++i) sum += mine[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 1; step < block_threads; step *= 2) {
    const unsigned before = static_cast<int>(threadIdx.x) >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  const uint2 now = search[blockIdx.x];
  unsigned below = sums[threadIdx.x] - sum;
  const bool here = now.y >= below && now.y < below + sum;
  __syncthreads();  // all have read `search`
  for (int i = 0; i < each; ++i) {
    const unsigned n = mine[i];
    mine[i] = 0;
    if (here && now.y >= below && now.y < below + n) {
      const unsigned prefix = pass == 0 ? threadIdx.x * each + i : now.x << 10 | (threadIdx.x * each + i);
      search[blockIdx.x] = {prefix, now.y - below};
      if (pass == 2) medians[blockIdx.x] = __uint_as_float(prefix);
    }
    below += n;
  }
}

}  // namespace

SizeMedian::SizeMedian(Stream& stream, std::int64_t most_images)
    : stream_(stream), search_(stream, most_images), bins_(stream, most_images * most_bins) {}

void SizeMedian::run(const float* values, std::int64_t pixels, std::int64_t images, float* medians) {
  const auto n = static_cast<unsigned>(images);
  const auto chunks = static_cast<unsigned>(std::clamp<std::int64_t>(pixels / (16 * block_threads), 1, 64));
  stream_.launch("median", dim3(n), dim3(block_threads), 0, start, search_.data(), bins_.data(),
                 static_cast<unsigned>(pixels / 2));
  for (int pass = 0; pass < 3; ++pass) {
    stream_.launch("median", dim3(chunks, n), dim3(block_threads), 0, count, values, pixels, search_.data(),
                   bins_.data(), pass);
    stream_.launch("median", dim3(n), dim3(block_threads), 0, choose, search_.data(), bins_.data(), pass, medians);
  }
}

}  // namespace backlit::cuda
