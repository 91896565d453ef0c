#include "preprocess/corrections/stripes.hpp"

#include <vector>

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/outstanding.hpp"
#include "cuda/corrections/sinogram.hpp"
#include "cuda/device/upload.hpp"

namespace backlit::cuda {
namespace {

constexpr int stripe_threads = 128;

/// Rows of the detector at a time: enough for all multiprocessors.
std::int64_t rows_at_once(const Images& all) {
  return cached(all.count * all.columns * 4, all.rows, std::int64_t{64} << 20);
}

/// Calls work(first, sinograms) for rows of the detector, some at a time, with their readings by column.
template <class Work>
void for_rows(CudaViews& views, const char* stage, const Watch& watch, Work&& work) {
  const Images all = views.images();
  const std::int64_t at_once = rows_at_once(all);
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
    const std::int64_t n = all.count * all.columns * rows_at_once(all);
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
  const dim3 grid(blocks(all.pixels(), stripe_threads));
  stream.launch("shares", grid, dim3(stripe_threads), 0, shares_of, all, table.data(), n, shares.data());
  median_across_columns(stream, {shares.data(), all.columns, n, all.rows}, window, smooth.data());
  stream.launch("shares", grid, dim3(stripe_threads), 0, change_shares, all, table.data(), n, shares.data(),
                smooth.data());
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
  const dim3 grid(blocks(all.pixels(), stripe_threads));
  stream.launch("means", grid, dim3(stripe_threads), 0, means_of, all, mean.data());
  stream.launch("stripes", grid, dim3(stripe_threads), 0, subtract_stripes, all, mean.data(), static_cast<int>(window));
  watch.end();
}

__global__ void interpolate(Images views, const ColumnBridge* bridges, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const ColumnBridge b = bridges[i];
  float* const row = views.image(blockIdx.y) + b.row * views.columns;
  row[b.column] = (1 - b.share) * row[b.left] + b.share * row[b.right];
}

/// Counters on the device.
PoolBuffer<unsigned> zeros(Stream& stream, std::int64_t count) {
  PoolBuffer<unsigned> counters(stream, count);
  BACKLIT_CUDA(cudaMemsetAsync(counters.data(), 0, counters.bytes(), stream));
  return counters;
}

std::vector<unsigned> fetched(Stream& stream, const PoolBuffer<unsigned>& counters) {
  std::vector<unsigned> host(static_cast<std::size_t>(counters.count()));
  BACKLIT_CUDA(cudaMemcpyAsync(host.data(), counters.data(), counters.bytes(), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  return host;
}

}  // namespace

Done remove_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  check_stripe_window(o.stripes);
  const bool ranks = o.stripe_method == StripeMethod::sorting || o.stripe_method == StripeMethod::filtering;
  if (ranks && !sorts(views.images().count)) return std::nullopt;
  constexpr void (*methods[])(CudaViews&, std::int64_t, const Watch&) = {by_means, by_sorting, by_filtering,
                                                                         by_fitting};
  methods[static_cast<int>(o.stripe_method)](views, o.stripes, watch);
  return stripes_text(o);
}

Done remove_large_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  if (!sorts(all.count) || !searches(all.columns)) return std::nullopt;
  Ranked ranked(views);
  const std::int64_t most = all.columns * rows_at_once(all);
  PoolBuffer<float> offsets(stream, most);
  PoolBuffer<char> marks(stream, most);
  PoolBuffer<unsigned> found = zeros(stream, 1);
  for_rows(views, "large stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    sort_columns(stream, s, ranked.order.data());
    median_across_columns(stream, s, large_window(s.columns), ranked.smooth.data());
    mean_differences(stream, s, ranked.smooth.data(), static_cast<int>(extreme_ranks(s.readings)), offsets.data());
    mark_large_columns(stream, offsets.data(), s.columns, s.rows, o.large_stripes, marks.data(), found.data());
    put_back(stream, {ranked.smooth.data(), s.columns, s.readings, s.rows}, nullptr, ranked.order.data(), marks.data(),
             all, first);
  });
  return count_columns(fetched(stream, found)[0], views.scan().detector);
}

Done remove_dead_stripes(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  if (!sorts(all.count) || !searches(all.columns)) return std::nullopt;
  const GaussianTaps taps(stream, unrest_views);
  PoolBuffer<float> unrest(stream, all.pixels());
  for_rows(views, "dead stripes", watch, [&](std::int64_t first, const Sinograms& s) {
    unrest_of_columns(stream, s, taps, unrest.data() + first * all.columns);
  });
  PoolBuffer<char> marks(stream, all.pixels());
  PoolBuffer<ColumnBridge> bridges(stream, all.pixels());
  PoolBuffer<unsigned> counts = zeros(stream, 2);  // found, bridges
  mark_dead_columns(stream, unrest.data(), all.columns, all.rows, o.dead_stripes, marks.data(), counts.data());
  bridge_columns(stream, marks.data(), all.columns, all.rows, bridges.data(), counts.data() + 1);
  const std::vector<unsigned> host = fetched(stream, counts);
  if (const auto n = static_cast<int>(host[1]); n > 0)
    stream.launch("interpolate", dim3(blocks(n, stripe_threads), static_cast<unsigned>(all.count)),
                  dim3(stripe_threads), 0, interpolate, all, bridges.data(), n);
  return count_columns(host[0], views.scan().detector);
}

}  // namespace backlit::cuda
