#include "cuda/corrections/sinogram.hpp"

#include <cmath>

#include "cuda/corrections/float_order.cuh"
#include "cuda/device/upload.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

constexpr int column_threads = 128;

/// Through a tile of 32 x 32, so that both sides are read and written in lines.
__global__ void transpose(Images views, int first, Sinograms to) {
  __shared__ float square[32][33];
  const int row = static_cast<int>(blockIdx.z), column0 = static_cast<int>(blockIdx.x) * 32,
            view0 = static_cast<int>(blockIdx.y) * 32;
  const int column = column0 + static_cast<int>(threadIdx.x), reading = view0 + static_cast<int>(threadIdx.x);
  for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8)
    if (column < to.columns && view0 + i < to.readings)
      square[i][threadIdx.x] = views.image(view0 + i)[std::int64_t{first + row} * to.columns + column];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8)
    if (column0 + i < to.columns && reading < to.readings) to.line(row, column0 + i)[reading] = square[threadIdx.x][i];
}

/// `most` values in ascending order, in registers; unused places are very small or very large.
template <int most>
struct Window {
  float a[most];

  __device__ __forceinline__ void clear(int window) {
#pragma unroll
    for (int i = 0; i < most; ++i) a[i] = i < (most - window) / 2 ? -INFINITY : INFINITY;
  }
  /// In place of the largest.
  __device__ __forceinline__ void add(float x) {
#pragma unroll
    for (int i = most - 1; i > 0; --i) a[i] = fmaxf(a[i - 1], fminf(a[i], x));
    a[0] = fminf(a[0], x);
  }
  __device__ __forceinline__ void remove(float x) {
#pragma unroll
    for (int i = 0; i < most - 1; ++i) a[i] = a[i] < x ? a[i] : a[i + 1];
    a[most - 1] = INFINITY;
  }
  __device__ __forceinline__ float median() const { return a[most / 2]; }
};

/// A thread follows one reading through `chunk` columns.
template <int most>
__global__ void running_medians(Sinograms from, int window, int chunk, float* to) {
  const int reading = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (reading >= from.readings) return;
  const int begin = static_cast<int>(blockIdx.y) * chunk, end = min(begin + chunk, from.columns), half = window / 2;
  const float* const row = from.line(blockIdx.z, 0) + reading;
  float* const out = to + std::int64_t{blockIdx.z} * from.columns * from.readings + reading;
  const auto value = [&](int c) { return row[std::int64_t{mirrored(c, from.columns)} * from.readings]; };
  Window<most> sorted;
  sorted.clear(window);
  for (int c = begin - half; c <= begin + half; ++c) sorted.add(value(c));
  for (int c = begin; c < end; ++c) {
    out[std::int64_t{c} * from.readings] = sorted.median();
    if (c + 1 == end) break;
    sorted.remove(value(c - half));
    sorted.add(value(c + half + 1));
  }
}

/// For windows beyond registers: the median's bits, one after another.
__global__ void wide_medians(Sinograms from, int window, float* to) {
  const int reading = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), column = static_cast<int>(blockIdx.y);
  if (reading >= from.readings) return;
  const float* const row = from.line(blockIdx.z, 0) + reading;
  const int half = window / 2;
  unsigned found = 0;
  for (unsigned bit = 1u << 31; bit; bit >>= 1) {
    const unsigned trial = found | bit;
    int below = 0;
    for (int c = column - half; c <= column + half; ++c)
      below += in_order(row[std::int64_t{mirrored(c, from.columns)} * from.readings]) < trial;
    if (below <= half) found = trial;
  }
  to[from.line(blockIdx.z, column) - from.values + reading] = from_order(found);
}

template <int most>
void launch_medians(Stream& stream, const Sinograms& from, std::int64_t window, float* to) {
  constexpr int threads = 64, chunk = most <= 31 ? 128 : 256;
  const dim3 grid(blocks(from.readings, threads), blocks(from.columns, chunk), static_cast<unsigned>(from.rows));
  stream.launch("medians", grid, dim3(threads), 0, running_medians<most>, from, static_cast<int>(window), chunk, to);
}

/// A block has a column. Calls done(reading, smooth value, value) for its readings.
template <class Done>
__device__ void smooth(const float* line, int n, const double* taps, int reach, double sum, Done&& done) {
  extern __shared__ double own[];  // the column with `reach` readings more on either side, and the taps
  double* const weights = own + n + 2 * reach;
  for (int i = static_cast<int>(threadIdx.x); i < n + 2 * reach; i += static_cast<int>(blockDim.x))
    own[i] = static_cast<double>(line[mirrored(i - reach, n)]);
  for (int i = static_cast<int>(threadIdx.x); i <= 2 * reach; i += static_cast<int>(blockDim.x)) weights[i] = taps[i];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    double value = 0;
    for (int k = 0; k <= 2 * reach; ++k) value += weights[k] * own[i + k];
    done(i, static_cast<float>(value / sum), static_cast<float>(own[i + reach]));
  }
}

__global__ void smooth_course(Sinograms from, const double* taps, int reach, double sum, float* to) {
  const float* const line = from.line(blockIdx.y, blockIdx.x);
  float* const out = to + (line - from.values);
  smooth(line, from.readings, taps, reach, sum, [&](int i, float value, float) { out[i] = value; });
}

__global__ void unrest(Sinograms from, const double* taps, int reach, double sum, float* out) {
  double total = 0;
  smooth(from.line(blockIdx.y, blockIdx.x), from.readings, taps, reach, sum,
         [&](int, float value, float own) { total += fabs(static_cast<double>(own - value)); });
  total = block_sum<column_threads>(total);
  if (threadIdx.x == 0) out[std::int64_t{blockIdx.y} * from.columns + blockIdx.x] = static_cast<float>(total);
}

__global__ void differences(Sinograms ranked, const float* smooth, int cut, float* out) {
  const float* const line = ranked.line(blockIdx.y, blockIdx.x);
  const float* const other = smooth + (line - ranked.values);
  double total = 0;
  for (int i = cut + static_cast<int>(threadIdx.x); i < ranked.readings - cut; i += static_cast<int>(blockDim.x))
    total += static_cast<double>(line[i]) - static_cast<double>(other[i]);
  total = block_sum<column_threads>(total);
  if (threadIdx.x == 0)
    out[std::int64_t{blockIdx.y} * ranked.columns + blockIdx.x] =
        static_cast<float>(total / static_cast<double>(ranked.readings - 2 * cut));
}

constexpr int back_columns = 16;  ///< columns of a block, which are written to the views side by side
constexpr int tile_stride = 17;   ///< from view to view in the tile; odd, against conflicts of banks

/// Through a tile of [view][column] in shared memory, or directly where it would not fit (`tiled` false).
__global__ void ranks_to_views(Sinograms values, const float* from, const std::uint16_t* order, const char* marks,
                               Images views, std::int64_t first, bool tiled) {
  extern __shared__ float tile[];
  const int column0 = static_cast<int>(blockIdx.x) * back_columns, row = static_cast<int>(blockIdx.y),
            columns = min(back_columns, values.columns - column0), n = values.readings;
  const auto wanted = [&](int c) { return !marks || marks[row * values.columns + column0 + c]; };
  const std::int64_t line = values.line(row, column0) - values.values, pixel = (first + row) * values.columns + column0;
  const auto write = [&](int view, int c, float value) {
    float* const to = views.image(view) + pixel + c;
    *to = from ? *to + value : value;
  };
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32,
            warps = static_cast<int>(blockDim.x) / 32;
  for (int c = warp; c < columns; c += warps)
    for (int i = lane; i < n && wanted(c); i += 32) {
      const std::int64_t at = line + std::int64_t{c} * n + i;
      const float value = from ? values.values[at] - from[at] : values.values[at];
      if (tiled)
        tile[order[at] * tile_stride + c] = value;
      else
        write(order[at], c, value);
    }
  if (!tiled) return;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n * back_columns; i += static_cast<int>(blockDim.x))
    if (const int c = i % back_columns; c < columns && wanted(c))
      write(i / back_columns, c, tile[i / back_columns * tile_stride + c]);
}

dim3 grid_of_columns(const Sinograms& s) { return {static_cast<unsigned>(s.columns), static_cast<unsigned>(s.rows)}; }

/// Lets a kernel have so much shared memory; returns the same.
template <class Kernel>
std::size_t shared(Kernel kernel, std::size_t bytes) {
  if (bytes > 40 * 1024)  // of 48 KiB, with what kernels declare
    BACKLIT_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  return bytes;
}

std::size_t smooth_bytes(const Sinograms& s, const GaussianTaps& g) {
  return static_cast<std::size_t>(s.readings + 4 * g.reach + 1) * sizeof(double);
}

}  // namespace

void take_rows(Stream& stream, const Images& views, std::int64_t first, const Sinograms& to) {
  const dim3 grid(blocks(to.columns, 32), blocks(to.readings, 32), static_cast<unsigned>(to.rows));
  stream.launch("rows", grid, dim3(32, 8), 0, transpose, views, static_cast<int>(first), to);
}

void median_across_columns(Stream& stream, const Sinograms& from, std::int64_t window, float* to) {
  if (window <= 11) return launch_medians<11>(stream, from, window, to);
  if (window <= 31) return launch_medians<31>(stream, from, window, to);
  if (window <= 65) return launch_medians<65>(stream, from, window, to);
  if (window <= 101) return launch_medians<101>(stream, from, window, to);
  const dim3 grid(blocks(from.readings, 64), static_cast<unsigned>(from.columns), static_cast<unsigned>(from.rows));
  stream.launch("medians", grid, dim3(64), 0, wide_medians, from, static_cast<int>(window), to);
}

GaussianTaps::GaussianTaps(const Stream& stream, double sigma) : reach(static_cast<int>(std::ceil(3 * sigma))), sum(0) {
  std::vector<double> host;
  for (int i = -reach; i <= reach; ++i) host.push_back(std::exp(-0.5 * static_cast<double>(i) * i / (sigma * sigma)));
  for (const double tap : host) sum += tap;
  taps = PoolBuffer<double>(stream, static_cast<std::int64_t>(host.size()));
  stream.wait();
  upload(taps.data(), host.data(), taps.bytes());
}

void smooth_columns(Stream& stream, const Sinograms& from, const GaussianTaps& g, float* to) {
  stream.launch("smooth", grid_of_columns(from), dim3(column_threads), shared(smooth_course, smooth_bytes(from, g)),
                smooth_course, from, g.taps.data(), g.reach, g.sum, to);
}

void unrest_of_columns(Stream& stream, const Sinograms& from, const GaussianTaps& g, float* sums) {
  stream.launch("unrest", grid_of_columns(from), dim3(column_threads), shared(unrest, smooth_bytes(from, g)), unrest,
                from, g.taps.data(), g.reach, g.sum, sums);
}

void mean_differences(Stream& stream, const Sinograms& ranked, const float* smooth, int cut, float* out) {
  stream.launch("differences", grid_of_columns(ranked), dim3(column_threads), 0, differences, ranked, smooth, cut, out);
}

void put_back(Stream& stream, const Sinograms& values, const float* from, const std::uint16_t* order, const char* marks,
              const Images& views, std::int64_t first) {
  const std::size_t tile = static_cast<std::size_t>(values.readings) * tile_stride * sizeof(float);
  const bool tiled = tile <= 96 * 1024;
  const dim3 grid(blocks(values.columns, back_columns), static_cast<unsigned>(values.rows));
  stream.launch("put back", grid, dim3(256), tiled ? shared(ranks_to_views, tile) : 0, ranks_to_views, values, from,
                order, marks, views, first, tiled);
}

}  // namespace backlit::cuda
