#include "cuda/corrections/volume/material.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <vector>

#include "cuda/corrections/float_order.cuh"
#include "cuda/corrections/images.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/shared/pool_buffer.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

constexpr int rank_bins = 2048, rank_passes = 3;
using Count = unsigned long long;

struct Extent {
  int size[3];
  std::int64_t count() const { return std::int64_t{size[0]} * size[1] * size[2]; }
};

struct Survey {
  double sum;               ///< of metal
  Count metal, seen;        ///< voxels
  int low[3], high[3];      ///< indices of metal
  unsigned below, largest;  ///< of seen voxels, in order; `below`: the complement of the least
};

__device__ bool is_seen(float value, double metal) { return value != 0 && static_cast<double>(value) < metal; }

__global__ void survey(const float* values, Extent volume, std::int64_t n, double metal, Survey* found) {
  Survey mine{0, 0, 0, {INT_MAX, INT_MAX, INT_MAX}, {-1, -1, -1}, 0, 0};
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride) {
    const float value = values[i];
    if (static_cast<double>(value) > metal) {
      ++mine.metal;
      mine.sum += static_cast<double>(value);
      const std::int64_t line = i / volume.size[0];
      const int at[3] = {static_cast<int>(i % volume.size[0]), static_cast<int>(line % volume.size[1]),
                         static_cast<int>(line / volume.size[1])};
      for (int a = 0; a < 3; ++a) {
        mine.low[a] = min(mine.low[a], at[a]);
        mine.high[a] = max(mine.high[a], at[a]);
      }
    } else if (is_seen(value, metal)) {
      ++mine.seen;
      mine.below = max(mine.below, ~in_order(value));
      mine.largest = max(mine.largest, in_order(value));
    }
  }
  if (mine.metal > 0)
    for (int a = 0; a < 3; ++a) {
      atomicMin(&found->low[a], mine.low[a]);
      atomicMax(&found->high[a], mine.high[a]);
    }
  const double sum = warp_sum(mine.sum);
  const Count metals = warp_sum(mine.metal), seen = warp_sum(mine.seen);
  const unsigned below = warp_maximum(mine.below), largest = warp_maximum(mine.largest);
  if (threadIdx.x % 32 != 0) return;
  if (metals > 0) {
    atomicAdd(&found->sum, sum);
    atomicAdd(&found->metal, metals);
  }
  if (seen > 0) {
    atomicAdd(&found->seen, seen);
    atomicMax(&found->below, below);
    atomicMax(&found->largest, largest);
  }
}

/// Adds to global bins what bin_of(value) gives; -1: none.
template <int bins, class BinOf>
__device__ void add_to_bins(const float* values, std::int64_t n, unsigned* to, BinOf&& bin_of) {
  __shared__ unsigned own[bins];
  for (int i = static_cast<int>(threadIdx.x); i < bins; i += block_threads) own[i] = 0;
  __syncthreads();
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride)
    if (const int bin = bin_of(values[i]); bin >= 0) atomicAdd(&own[bin], 1u);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < bins; i += block_threads)
    if (own[i] > 0) atomicAdd(&to[i], own[i]);
}

__global__ void histogram(const float* values, std::int64_t n, double metal, float low, float high, unsigned* to) {
  add_to_bins<material_bins>(values, n, to,
                             [&](float v) { return is_seen(v, metal) ? material_bin(v, low, high) : -1; });
}

/// Bits of a value in order that a pass looks at: 31 to 21, 20 to 10, 9 to 0.
__host__ __device__ int rank_shift(int pass) { return pass == 0 ? 21 : pass == 1 ? 10 : 0; }
__host__ __device__ int rank_width(int pass) { return pass == 2 ? 10 : 11; }

/// Of the values between `threshold` and `metal` that have the upper bits `prefix`.
__global__ void count_ranks(const float* values, std::int64_t n, double threshold, double metal, unsigned prefix,
                            int pass, unsigned* to) {
  add_to_bins<rank_bins>(values, n, to, [&](float v) {
    if (!is_seen(v, metal) || static_cast<double>(v) <= threshold) return -1;
    const unsigned bits = in_order(v) >> rank_shift(pass);
    if (pass > 0 && bits >> rank_width(pass) != prefix) return -1;
    return static_cast<int>(bits & ((1u << rank_width(pass)) - 1));
  });
}

float value_of(unsigned in_order_bits) {
  return std::bit_cast<float>(in_order_bits >> 31 ? in_order_bits & 0x7fffffffu : ~in_order_bits);
}

/// Launches and reads back.
class Bins {
 public:
  Bins(Stream& stream, int count) : stream_(stream), there_(stream, count), here_(static_cast<std::size_t>(count)) {}
  template <class Kernel, class... Arguments>
  const std::vector<unsigned>& of(Kernel kernel, unsigned grid, Arguments... arguments) {
    BACKLIT_CUDA(cudaMemsetAsync(there_.data(), 0, there_.bytes(), stream_));
    stream_.launch("material", dim3(grid), dim3(block_threads), 0, kernel, arguments..., there_.data());
    BACKLIT_CUDA(cudaMemcpyAsync(here_.data(), there_.data(), there_.bytes(), cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return here_;
  }

 private:
  Stream& stream_;
  PoolBuffer<unsigned> there_;
  std::vector<unsigned> here_;
};

/// The median of the values above `threshold`; 0 where there is none.
double median_above(Stream& stream, const float* values, std::int64_t n, unsigned grid, double threshold,
                    double metal) {
  Bins bins(stream, rank_bins);
  unsigned prefix = 0;
  Count rank = 0;
  for (int pass = 0; pass < rank_passes; ++pass) {
    const std::vector<unsigned>& count = bins.of(count_ranks, grid, values, n, threshold, metal, prefix, pass);
    if (pass == 0) {
      for (const unsigned c : count) rank += c;
      if (rank == 0) return 0;
      rank /= 2;
    }
    unsigned bin = 0;
    for (; bin + 1 < rank_bins && rank >= count[bin]; ++bin) rank -= count[bin];
    prefix = prefix << rank_width(pass) | bin;
  }
  return static_cast<double>(value_of(prefix));
}

}  // namespace

Materials find_materials(Stream& stream, const float* volume, const Size3& size, double metal) {
  const Extent extent{{static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2])}};
  const std::int64_t n = extent.count();
  const auto grid = static_cast<unsigned>(std::min<std::int64_t>(blocks(n, block_threads), 16 * multiprocessors()));
  Survey found{0, 0, 0, {INT_MAX, INT_MAX, INT_MAX}, {-1, -1, -1}, 0, 0};
  PoolBuffer<Survey> there(stream, 1);
  upload(stream, there.data(), &found, sizeof found);
  stream.launch("material", dim3(grid), dim3(block_threads), 0, survey, volume, extent, n, metal, there.data());
  BACKLIT_CUDA(cudaMemcpyAsync(&found, there.data(), sizeof found, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  Materials out;
  out.metal = {static_cast<std::int64_t>(found.metal),
               found.sum,
               {found.low[0], found.low[1], found.low[2]},
               {found.high[0], found.high[1], found.high[2]}};
  if (static_cast<std::int64_t>(found.seen) < least_material) return out;
  const float low = value_of(~found.below), high = value_of(found.largest);
  if (!(high > low)) {
    out.material.threshold = static_cast<double>(high);
    return out;
  }
  std::array<std::int64_t, material_bins> count{};
  std::ranges::copy(Bins(stream, material_bins).of(histogram, grid, volume, n, metal, low, high), count.begin());
  out.material.threshold = material_threshold(count, low, high);
  out.material.median = median_above(stream, volume, n, grid, out.material.threshold, metal);
  return out;
}

}  // namespace backlit::cuda
