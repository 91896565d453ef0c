#include "preprocess/corrections/stripes.hpp"

#include <vector>

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/sinogram.hpp"
#include "cuda/device/upload.hpp"

namespace backlit::cuda {
namespace {

constexpr int threads = 128;

/// Calls work(first, sinograms) for rows of the detector, some at a time, with their readings by column.
template <class Work>
void for_rows(CudaViews& views, const char* stage, const Watch& watch, Work&& work) {
  const Images all = views.images();
  const std::int64_t row_bytes = all.count * all.columns * 4, at_once = cached(row_bytes, all.rows);
  PoolBuffer<float> values(views.stream(), at_once * all.columns * all.count);
  watch.begin(stage, all.rows, "rows");
  for (std::int64_t first = 0; first < all.rows; first += at_once) {
    const std::int64_t count = std::min(at_once, all.rows - first);
    const Sinograms s{values.data(), all.columns, static_cast<int>(all.count), static_cast<int>(count)};
    take_rows(views.stream(), all, first, s);
    work(first, s);
    watch.advance(count);
  }
  watch.end();
}

/// Memory for sinograms and for the order of their readings.
struct Ranked {
  PoolBuffer<float> smooth;
  PoolBuffer<std::uint16_t> order;

  explicit Ranked(CudaViews& views) {
    const Images all = views.images();
    const std::int64_t n = all.count * all.columns * cached(all.count * all.columns * 4, all.rows);
    smooth = PoolBuffer<float>(views.stream(), n);
    order = PoolBuffer<std::uint16_t>(views.stream(), n);
  }
};

void by_sorting(CudaViews& views, std::int64_t window, const Watch& watch) {
  Ranked ranked(views);
  for_rows(views, "stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    sort_columns(views.stream(), s, ranked.order.data());
    median_across_columns(views.stream(), s, window, ranked.smooth.data());
    put_back(views.stream(), {ranked.smooth.data(), s.columns, s.readings, s.rows}, nullptr, ranked.order.data(),
             nullptr, views.images(), first);
  });
}

void by_filtering(CudaViews& views, std::int64_t window, const Watch& watch) {
  Ranked ranked(views);
  const GaussianTaps taps(views.stream(), slow_views(views.images().count));
  for_rows(views, "stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    const Sinograms slow{ranked.smooth.data(), s.columns, s.readings, s.rows};
    smooth_columns(views.stream(), s, taps, slow.values);
    sort_columns(views.stream(), slow, ranked.order.data());
    median_across_columns(views.stream(), slow, window, s.values);
    put_back(views.stream(), s, slow.values, ranked.order.data(), nullptr, views.images(), first);
  });
}

constexpr int most_curves = 4;

/// Sums of readings times curves: [pixel][curve].
__global__ void shares_of(Images views, const double* curves, int n, float* shares) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= views.pixels()) return;
  double sum[most_curves] = {};
#pragma unroll 4
  for (std::int64_t v = 0; v < views.count; ++v) {
    const auto value = static_cast<double>(views.image(v)[pixel]);
    for (int k = 0; k < most_curves; ++k)
      if (k < n) sum[k] += curves[k * views.count + v] * value;
  }
  for (int k = 0; k < most_curves; ++k)
    if (k < n) shares[pixel * n + k] = static_cast<float>(sum[k]);
}

__global__ void change_shares(Images views, const double* curves, int n, const float* shares, const float* smooth) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= views.pixels()) return;
  double change[most_curves] = {};
  for (int k = 0; k < most_curves; ++k)
    if (k < n) change[k] = static_cast<double>(smooth[pixel * n + k] - shares[pixel * n + k]);
#pragma unroll 4
  for (std::int64_t v = 0; v < views.count; ++v) {
    double sum = 0;
    for (int k = 0; k < most_curves; ++k)
      if (k < n) sum += curves[k * views.count + v] * change[k];
    views.image(v)[pixel] += static_cast<float>(sum);
  }
}

void by_fitting(CudaViews& views, std::int64_t window, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  watch.begin("stripes", 1, "scan");
  std::vector<double> host;
  const auto curves = smooth_curves(all.count);
  for (const auto& curve : curves) host.insert(host.end(), curve.begin(), curve.end());
  const int n = static_cast<int>(curves.size());
  PoolBuffer<double> table(stream, static_cast<std::int64_t>(host.size()));
  PoolBuffer<float> shares(stream, n * all.pixels()), smooth(stream, n * all.pixels());
  stream.wait();
  upload(table.data(), host.data(), table.bytes());
  const dim3 grid(blocks(all.pixels(), threads));
  stream.launch("shares", grid, dim3(threads), 0, shares_of, all, table.data(), n, shares.data());
  median_across_columns(stream, {shares.data(), all.columns, n, all.rows}, window, smooth.data());
  stream.launch("shares", grid, dim3(threads), 0, change_shares, all, table.data(), n, shares.data(), smooth.data());
  watch.end();
}

__global__ void means_of(Images views, double* mean) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= views.pixels()) return;
  double sum = 0;
#pragma unroll 8
  for (std::int64_t v = 0; v < views.count; ++v) sum += static_cast<double>(views.image(v)[pixel]);
  mean[pixel] = sum / static_cast<double>(views.count);
}

__global__ void subtract_stripes(Images views, const double* mean, int window) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= views.pixels()) return;
  const int column = static_cast<int>(pixel % views.columns);
  const int reach = min(min(window / 2, column), views.columns - 1 - column);  // symmetric, so that slopes stay
  const double* const near = mean + pixel - reach;
  double median = near[reach];
  for (int i = 0; i <= 2 * reach; ++i) {
    int below = 0, equal = 0;
    for (int j = 0; j <= 2 * reach; ++j) {
      below += near[j] < near[i];
      equal += near[j] == near[i];
    }
    if (below <= reach && reach < below + equal) median = near[i];
  }
  const auto stripe = static_cast<float>(mean[pixel] - median);
  for (std::int64_t v = 0; v < views.count; ++v) views.image(v)[pixel] -= stripe;
}

void by_means(CudaViews& views, std::int64_t window, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  watch.begin("stripes", 1, "scan");
  PoolBuffer<double> mean(stream, all.pixels());
  const dim3 grid(blocks(all.pixels(), threads));
  stream.launch("means", grid, dim3(threads), 0, means_of, all, mean.data());
  stream.launch("stripes", grid, dim3(threads), 0, subtract_stripes, all, mean.data(), static_cast<int>(window));
  watch.end();
}

__global__ void interpolate(Images views, const ColumnBridge* bridges, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const ColumnBridge b = bridges[i];
  float* const row = views.image(blockIdx.y) + b.row * views.columns;
  row[b.column] = (1 - b.share) * row[b.left] + b.share * row[b.right];
}

template <class T>
PoolBuffer<T> sent(Stream& stream, const std::vector<T>& host) {
  PoolBuffer<T> there(stream, static_cast<std::int64_t>(host.size()));
  BACKLIT_CUDA(cudaMemcpyAsync(there.data(), host.data(), there.bytes(), cudaMemcpyHostToDevice, stream));
  return there;
}

std::vector<float> fetched(Stream& stream, const float* values, std::int64_t count) {
  std::vector<float> host(static_cast<std::size_t>(count));
  BACKLIT_CUDA(cudaMemcpyAsync(host.data(), values, host.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  return host;
}

}  // namespace

Done remove_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  check_stripe_window(o.stripes);
  if (!sorts(views.images().count)) return std::nullopt;
  constexpr void (*methods[])(CudaViews&, std::int64_t, const Watch&) = {by_means, by_sorting, by_filtering,
                                                                         by_fitting};
  methods[static_cast<int>(o.stripe_method)](views, o.stripes, watch);
  return stripes_text(o);
}

Done remove_large_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  if (!sorts(all.count)) return std::nullopt;
  Ranked ranked(views);
  PoolBuffer<float> offsets(stream, all.columns * cached(all.count * all.columns * 4, all.rows));
  std::int64_t found = 0;
  for_rows(views, "large stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    sort_columns(stream, s, ranked.order.data());
    median_across_columns(stream, s, large_window(s.columns), ranked.smooth.data());
    mean_differences(stream, s, ranked.smooth.data(), static_cast<int>(extreme_ranks(s.readings)), offsets.data());
    const std::vector<float> host = fetched(stream, offsets.data(), std::int64_t{s.rows} * s.columns);
    const MarkedColumns large = large_columns(host, s.columns, o.large_stripes);
    found += large.found;
    if (large.found == 0) return;
    const auto there = sent(stream, large.marks);
    put_back(stream, {ranked.smooth.data(), s.columns, s.readings, s.rows}, nullptr, ranked.order.data(), there.data(),
             all, first);
    stream.wait();  // for the marks
  });
  return count_columns(found, views.scan().detector);
}

Done remove_dead_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  if (!sorts(all.count)) return std::nullopt;
  const GaussianTaps taps(stream, unrest_views);
  PoolBuffer<float> unrest(stream, all.pixels());
  for_rows(views, "dead stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    unrest_of_columns(stream, s, taps, unrest.data() + first * all.columns);
  });
  const MarkedColumns dead =
      dead_columns(fetched(stream, unrest.data(), all.pixels()), all.columns, o.dead_stripes);
  const std::vector<ColumnBridge> bridges = bridge_columns(dead.marks, all.columns);
  if (!bridges.empty()) {
    const auto there = sent(stream, bridges);
    const auto n = std::ssize(bridges);
    stream.launch("interpolate", dim3(blocks(n, threads), static_cast<unsigned>(all.count)), dim3(threads), 0,
                  interpolate, all, there.data(), static_cast<int>(n));
    stream.wait();  // for `bridges`
  }
  return count_columns(dead.found, views.scan().detector);
}

}  // namespace backlit::cuda
