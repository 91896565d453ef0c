#include "cuda/corrections/outstanding.hpp"

#include "cuda/corrections/images.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

constexpr int most_columns = 8192;

/// Bitonic, of a power of two.
__device__ void sort_row(float* values, int n) {
  for (int size = 2; size <= n; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < n / 2; i += block_threads) {
        const int low = 2 * stride * (i / stride) + i % stride, high = low + stride;
        const float a = values[low], b = values[high];
        if ((a > b) == ((low & size) == 0)) {
          values[low] = b;
          values[high] = a;
        }
      }
    }
  __syncthreads();
}

/// A row, its sorted values, and marks.
struct Row {
  float *list, *sorted;
  char* marks;
  int columns, padded;
};

__device__ void sort_row(const Row& r) {
  for (int i = static_cast<int>(threadIdx.x); i < r.padded; i += block_threads)
    r.sorted[i] = i < r.columns ? r.list[i] : INFINITY;
  sort_row(r.sorted, r.padded);
}

/// The host's stand_out(): compared with a line through the middle half of the sorted list.
__device__ void stand_out(const Row& r, double snr) {
  sort_row(r);
  const int n = r.columns, from = n / 4, to = n - n / 4;
  const double mean_x = 0.5 * (from + to - 1);
  double sum = 0, xx = 0, xy = 0;
  for (int i = from + static_cast<int>(threadIdx.x); i < to; i += block_threads)
    sum += static_cast<double>(r.sorted[i]);
  const double mean_y = block_sum<block_threads>(sum) / (to - from);
  for (int i = from + static_cast<int>(threadIdx.x); i < to; i += block_threads) {
    const double x = i - mean_x;
    xx += x * x;
    xy += x * (static_cast<double>(r.sorted[i]) - mean_y);
  }
  xx = block_sum<block_threads>(xx);
  const double slope = block_sum<block_threads>(xy) / xx, low = mean_y - slope * mean_x, high = low + slope * (n - 1);
  const double spread = fmax(high - low, 1e-6 * (fabs(low) + fabs(high)) + 1e-12);
  const bool above = static_cast<double>(r.sorted[n - 1]) - high > snr * spread,
             below = low - static_cast<double>(r.sorted[0]) > snr * spread;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += block_threads) {
    const auto value = static_cast<double>(r.list[i]);
    r.marks[i] =
        n >= 8 && ((above && value > high + 0.5 * snr * spread) || (below && value < low - 0.5 * snr * spread));
  }
  __syncthreads();
}

/// Unrest becomes its power of 2 over that of the neighbours: the median of eleven columns, mirrored beyond the ends.
__device__ void powers(const Row& r) {
  constexpr int window = 11, half = window / 2;
  sort_row(r);
  const float floor = 0.05f * r.sorted[r.columns / 2] + 1e-12f;
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < r.columns; c += block_threads) {
    float near[window], usual = 0;
    for (int k = 0; k < window; ++k) {
      const int period = 2 * r.columns, i = ((c + k - half) % period + period) % period;
      near[k] = r.list[i < r.columns ? i : period - 1 - i];
    }
    for (int k = 0; k < window; ++k) {
      int below = 0, equal = 0;
      for (const float other : near) {
        below += other < near[k];
        equal += other == near[k];
      }
      if (below <= half && half < below + equal) usual = near[k];
    }
    r.sorted[c] = log2f((r.list[c] + floor) / (usual + floor));
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < r.columns; c += block_threads) r.list[c] = r.sorted[c];
  __syncthreads();
}

__global__ void mark(const float* lists, int columns, int padded, bool dead, double snr, char* marks, unsigned* found) {
  extern __shared__ float row_room[];
  const Row r{row_room, row_room + columns, reinterpret_cast<char*>(row_room + columns + padded), columns, padded};
  const std::int64_t begin = std::int64_t{blockIdx.x} * columns;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += block_threads) r.list[c] = lists[begin + c];
  __syncthreads();
  if (dead) powers(r);
  stand_out(r, snr);
  if (dead) {
    for (int c = static_cast<int>(threadIdx.x); c < columns; c += block_threads)
      r.marks[c] = r.marks[c] && fabsf(r.list[c]) > 1;
    __syncthreads();
  }
  unsigned count = 0;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += block_threads) {
    count += r.marks[c] != 0;
    marks[begin + c] = r.marks[c] || (c > 0 && r.marks[c - 1]) || (c + 1 < columns && r.marks[c + 1]);
  }
  count = warp_sum(count);
  if (threadIdx.x % 32 == 0 && count > 0) atomicAdd(found, count);
}

void launch_mark(Stream& stream, const float* lists, int columns, int rows, bool dead, double snr, char* marks,
                 unsigned* found) {
  int padded = 2;
  while (padded < columns) padded *= 2;
  const std::size_t room =
      static_cast<std::size_t>(columns + padded) * sizeof(float) + static_cast<std::size_t>(columns);
  if (room > 40 * 1024)  // of 48 KiB, with what kernels declare
    BACKLIT_CUDA(cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(room)));
  stream.launch("mark columns", dim3(static_cast<unsigned>(rows)), dim3(block_threads), room, mark, lists, columns,
                padded, dead, snr, marks, found);
}

__global__ void bridge(const char* marks, int columns, int rows, ColumnBridge* bridges, unsigned* count) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= std::int64_t{columns} * rows || !marks[pixel]) return;
  const std::int64_t row = pixel / columns, column = pixel % columns;
  const char* const own = marks + row * columns;
  std::int64_t left = column, right = column;
  while (left >= 0 && own[left]) --left;
  while (right < columns && own[right]) ++right;
  if (left < 0 && right == columns) return;
  const bool both = left >= 0 && right < columns;
  const float share = both ? static_cast<float>(column - left) / static_cast<float>(right - left) : 0.0f;
  bridges[atomicAdd(count, 1u)] = {row, column, left >= 0 ? left : right, right < columns ? right : left, share};
}

}  // namespace

bool searches(std::int64_t columns) { return columns <= most_columns; }

void mark_large_columns(Stream& stream, const float* offsets, int columns, int rows, double snr, char* marks,
                        unsigned* found) {
  launch_mark(stream, offsets, columns, rows, false, snr, marks, found);
}

void mark_dead_columns(Stream& stream, const float* unrest, int columns, int rows, double snr, char* marks,
                       unsigned* found) {
  launch_mark(stream, unrest, columns, rows, true, snr, marks, found);
}

void bridge_columns(Stream& stream, const char* marks, int columns, int rows, ColumnBridge* bridges, unsigned* count) {
  stream.launch("mark columns", dim3(blocks(std::int64_t{columns} * rows, block_threads)), dim3(block_threads), 0,
                bridge, marks, columns, rows, bridges, count);
}

}  // namespace backlit::cuda
