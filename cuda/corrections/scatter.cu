#include "preprocess/corrections/scatter.hpp"

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/sinogram.hpp"
#include "cuda/corrections/volume/slices.hpp"
#include "geometry/rows_seen.hpp"

namespace backlit::cuda {
namespace {

/// Coarse pixels, [view][row][column].
struct Coarse {
  float* values;
  int columns, rows, step;
};

/// A place on coarse pixels, between two of them.
struct Between {
  int low, high;
  float share;  ///< of the second
};
__device__ Between between(int fine, int step, int n) {
  const float x = (static_cast<float>(fine) + 0.5f) / static_cast<float>(step) - 0.5f,
              inside = fminf(fmaxf(x, 0.0f), static_cast<float>(n - 1));
  const int low = static_cast<int>(inside);
  return {low, min(low + 1, n - 1), inside - static_cast<float>(low)};
}

/// What is left of a measured beam without `share` of the scatter, which is interpolated between coarse pixels.
__device__ float primary(float beam, const Coarse& scatter, const float* coarse, const Between& x, const Between& y,
                         float share) {
  const float *const upper = coarse + y.low * scatter.columns, *const lower = coarse + y.high * scatter.columns;
  const float at = (1 - y.share) * ((1 - x.share) * upper[x.low] + x.share * upper[x.high]) +
                   y.share * ((1 - x.share) * lower[x.low] + x.share * lower[x.high]);
  return fmaxf(beam - share * at, least_primary * beam);
}

/// Means over step x step pixels of what they scatter. A block has a row of coarse pixels, a thread a column of the
/// view at a time. `before`: the scatter found so far, null at first.
__global__ void coarsen(Images views, const float* before, float share, Coarse to) {
  extern __shared__ double sums[];
  const int row0 = static_cast<int>(blockIdx.x) * to.step, row1 = min(row0 + to.step, views.rows);
  const std::int64_t coarse = std::int64_t{blockIdx.y} * to.columns * to.rows;
  const float* const view = views.image(blockIdx.y);
  for (int column = static_cast<int>(threadIdx.x); column < views.columns; column += block_threads) {
    const Between x = between(column, to.step, to.columns);
    double sum = 0;
    for (int row = row0; row < row1; ++row) {
      float p = view[std::int64_t{row} * views.columns + column], beam = expf(-p);
      if (before) {
        beam = primary(beam, to, before + coarse, x, between(row, to.step, to.rows), share);
        p = -logf(beam);
      }
      if (p > 0) sum += static_cast<double>(p * beam);
    }
    sums[column] = sum;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < to.columns; i += block_threads) {
    const int begin = i * to.step, end = min(begin + to.step, views.columns);
    double sum = 0;
    for (int column = begin; column < end; ++column) sum += sums[column];
    to.values[coarse + blockIdx.x * to.columns + i] = static_cast<float>(sum / ((end - begin) * (row1 - row0)));
  }
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
__global__ void subtract(Images views, Coarse scatter, float share) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), row = static_cast<int>(blockIdx.y);
  if (column >= views.columns) return;
  float& value = views.image(blockIdx.z)[std::int64_t{row} * views.columns + column];
  value =
      -logf(primary(expf(-value), scatter, scatter.values + std::int64_t{blockIdx.z} * scatter.rows * scatter.columns,
                    between(column, scatter.step, scatter.columns), between(row, scatter.step, scatter.rows), share));
}

void remove(CudaViews& views, double share_of_beam, double width_mm, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const ScatterKernel kernel(views.scan().detector, width_mm);
  const GaussianTaps u(stream, kernel.sigma_u), v(stream, kernel.sigma_v);
  const std::int64_t at_once = std::min<std::int64_t>(all.count, 1024), coarse = kernel.columns * kernel.rows;
  PoolBuffer<float> fresh(stream, at_once * coarse), half(stream, at_once * coarse),
      smooth_one(stream, at_once * coarse);
  Coarse scatter{nullptr, static_cast<int>(kernel.columns), static_cast<int>(kernel.rows),
                 static_cast<int>(kernel.step)};
  const auto share = static_cast<float>(share_of_beam);
  const std::size_t room = static_cast<std::size_t>(all.columns) * sizeof(double);
  if (room > 40 * 1024)  // of 48 KiB, with what kernels declare
    BACKLIT_CUDA(cudaFuncSetAttribute(coarsen, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(room)));
  watch.begin("scatter", all.count, "views");
  for (std::int64_t first = 0; first < all.count; first += at_once) {
    const std::int64_t n = std::min(at_once, all.count - first);
    const Images some = all.some(first, n);
    const auto images = static_cast<unsigned>(n);
    const dim3 grid(blocks(coarse, 128), images);
    for (int pass = 0; pass < scatter_passes; ++pass) {
      scatter.values = fresh.data();
      stream.launch("coarse scatter", dim3(static_cast<unsigned>(scatter.rows), images), dim3(block_threads), room,
                    coarsen, some, pass > 0 ? smooth_one.data() : nullptr, share, scatter);
      stream.launch("smooth scatter", grid, dim3(128), 0, smooth, fresh.data(), scatter, scatter.columns, 1,
                    Taps{u.taps.data(), u.reach, u.sum}, scatter.rows > 1 ? half.data() : smooth_one.data());
      if (scatter.rows > 1)
        stream.launch("smooth scatter", grid, dim3(128), 0, smooth, half.data(), scatter, scatter.rows, scatter.columns,
                      Taps{v.taps.data(), v.reach, v.sum}, smooth_one.data());
    }
    scatter.values = smooth_one.data();
    stream.launch("subtract scatter", dim3(blocks(all.columns, 128), static_cast<unsigned>(all.rows), images),
                  dim3(128), 0, subtract, some, scatter, share);
    watch.advance(n);
  }
  stream.wait();
  watch.end();
}

}  // namespace

Done remove_scatter(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  remove(views, o.scatter.share, o.scatter_width, watch);
  return share_text(o.scatter.share);
}

Done fit_scatter(CudaViews& views, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const VolumeGrid grid = input.volume.grid(views.scan(), 1);
  const IndexRange rows = rows_seen(grid, views.scan(), 0), all{0, views.scan().detector.rows};
  const auto some = part_of(views, all, scatter_stride(views.scan().view_count())), cleaned = part_of(*some, all, 1),
             seen = part_of(*some, rows, 1);
  const double share = fitted_share([&](double trial) {
    if (trial > 0) {
      copy_part(*some, all, 1, *cleaned);
      remove(*cleaned, trial, o.scatter_width, watch);
      copy_part(*cleaned, rows, 1, *seen);
    }
    return slice_of(*seen, input, grid, watch);
  });
  if (share > 0) remove(views, share, o.scatter_width, watch);
  return fitted_text(share);
}

}  // namespace backlit::cuda
