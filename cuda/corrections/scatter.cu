#include "preprocess/corrections/scatter.hpp"

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/sinogram.hpp"

namespace backlit::cuda {
namespace {

/// Coarse pixels, [view][row][column].
struct Coarse {
  float* values;
  int columns, rows, step;
};

__device__ float scattered(float p) { return p > 0 ? p * expf(-p) : 0.0f; }

/// Means of step x step pixels; a block has a coarse pixel.
__global__ void coarsen(Images views, Coarse to) {
  __shared__ double sums[4];
  const int row0 = static_cast<int>(blockIdx.y) * to.step, column0 = static_cast<int>(blockIdx.x) * to.step;
  const int rows = min(to.step, views.rows - row0), columns = min(to.step, views.columns - column0);
  const float* const corner = views.image(blockIdx.z) + std::int64_t{row0} * views.columns + column0;
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < rows * columns; i += static_cast<int>(blockDim.x))
    sum += static_cast<double>(scattered(corner[std::int64_t{i / columns} * views.columns + i % columns]));
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    to.values[(std::int64_t{blockIdx.z} * to.rows + blockIdx.y) * to.columns + blockIdx.x] =
        static_cast<float>((sums[0] + sums[1] + sums[2] + sums[3]) / (rows * columns));
}

__device__ int mirrored(int i, int n) {
  const int period = 2 * n, k = (i % period + period) % period;
  return k < n ? k : period - 1 - k;
}

struct Taps {
  const double* taps;
  int reach;
  double sum;
};

/// Along rows (`along` 1, `n` columns) or columns.
__global__ void smooth(const float* from, Coarse size, int n, int along, Taps t, float* to) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pixel >= size.columns * size.rows) return;
  const std::int64_t view = std::int64_t{blockIdx.y} * size.columns * size.rows;
  const int place = along == 1 ? pixel % size.columns : pixel / size.columns;
  const float* const line = from + view + pixel - place * along;
  double value = 0;
  for (int k = -t.reach; k <= t.reach; ++k)
    value += t.taps[k + t.reach] * static_cast<double>(line[mirrored(place + k, n) * along]);
  to[view + pixel] = static_cast<float>(value / t.sum);
}

/// Line integrals of the primary beam.
__global__ void subtract(Images views, const float* measured, Coarse scatter, float share) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), row = static_cast<int>(blockIdx.y);
  if (column >= views.columns) return;
  const auto place = [&](int fine, int n) {
    const float x = (static_cast<float>(fine) + 0.5f) / static_cast<float>(scatter.step) - 0.5f;
    return fminf(fmaxf(x, 0.0f), static_cast<float>(n - 1));
  };
  const float x = place(column, scatter.columns), y = place(row, scatter.rows);
  const int i = static_cast<int>(x), j = static_cast<int>(y), right = min(i + 1, scatter.columns - 1),
            below = min(j + 1, scatter.rows - 1);
  const float u = x - static_cast<float>(i), v = y - static_cast<float>(j);
  const float* const coarse = scatter.values + std::int64_t{blockIdx.z} * scatter.rows * scatter.columns;
  const auto value = [&](int r, int c) { return coarse[r * scatter.columns + c]; };
  const float at = (1 - v) * ((1 - u) * value(j, i) + u * value(j, right)) +
                   v * ((1 - u) * value(below, i) + u * value(below, right));
  const std::int64_t pixel = std::int64_t{row} * views.columns + column;
  const float beam = expf(-measured[blockIdx.z * views.pixels() + pixel]);
  views.image(blockIdx.z)[pixel] = -logf(fmaxf(beam - share * at, least_primary * beam));
}

}  // namespace

Done remove_scatter(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const ScatterKernel kernel(views.scan().detector, o.scatter_width);
  const GaussianTaps u(stream, kernel.sigma_u), v(stream, kernel.sigma_v);
  const std::int64_t bytes = 4 * all.pixels(), at_once = cached(bytes, all.count), coarse = kernel.columns * kernel.rows;
  PoolBuffer<float> measured(stream, at_once * all.pixels()), one(stream, at_once * coarse),
      other(stream, at_once * coarse);
  const Coarse scatter{one.data(), static_cast<int>(kernel.columns), static_cast<int>(kernel.rows),
                       static_cast<int>(kernel.step)};
  watch.begin("scatter", all.count, "views");
  for_cached(bytes, all.count, [&](std::int64_t first, std::int64_t n) {
    const Images some = all.some(first, n);
    const auto images = static_cast<unsigned>(n);
    BACKLIT_CUDA(cudaMemcpyAsync(measured.data(), some.values, static_cast<std::size_t>(n * bytes),
                                 cudaMemcpyDeviceToDevice, stream));
    for (int pass = 0; pass < scatter_passes; ++pass) {
      stream.launch("scatter", dim3(static_cast<unsigned>(scatter.columns), static_cast<unsigned>(scatter.rows), images),
                    dim3(128), 0, coarsen, some, scatter);
      const dim3 grid(blocks(coarse, 128), images);
      stream.launch("scatter", grid, dim3(128), 0, smooth, one.data(), scatter, scatter.columns, 1,
                    Taps{u.taps.data(), u.reach, u.sum}, other.data());
      Coarse smoothed = scatter;
      smoothed.values = other.data();
      if (scatter.rows > 1) {
        stream.launch("scatter", grid, dim3(128), 0, smooth, other.data(), scatter, scatter.rows, scatter.columns,
                      Taps{v.taps.data(), v.reach, v.sum}, one.data());
        smoothed.values = one.data();
      }
      stream.launch("scatter", dim3(blocks(all.columns, 128), static_cast<unsigned>(all.rows), images), dim3(128), 0,
                    subtract, some, measured.data(), smoothed, static_cast<float>(o.scatter.share));
    }
    watch.advance(n);
  });
  watch.end();
  return share_text(o.scatter.share);
}

}  // namespace backlit::cuda
