#include "filter/row_filter.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/types.hpp"
#include "preprocess/ramp_filter.hpp"

namespace backlit::cuda {
namespace {

void check_fft(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS)
    throw Failure("cuFFT", std::string(what) + " failed with code " + std::to_string(static_cast<int>(status)),
                  "is the device's memory full?");
}

template <class T>
DeviceBuffer<T> uploaded(const std::vector<T>& host) {
  DeviceBuffer<T> buffer(static_cast<std::int64_t>(host.size()));
  BACKLIT_CUDA(cudaMemcpy(buffer.data(), host.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

/// Sum of the magnitudes of the filter's taps: the most that it can make of values of magnitude 1. Taps and response
/// are even, so halves of both are enough.
double tap_sum(const RampFilter& ramp) {
  const std::int64_t n = ramp.size();  // even
  std::vector<double> cosine(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k)
    cosine[static_cast<std::size_t>(k)] = std::cos(2 * pi * static_cast<double>(k) / static_cast<double>(n));
  const auto times = [&](std::int64_t i) { return i == 0 || i == n / 2 ? 1.0 : 2.0; };
  double sum = 0;
  for (std::int64_t tap = 0; tap <= n / 2; ++tap) {
    double value = 0;
    for (std::int64_t k = 0; k <= n / 2; ++k)
      value += times(k) * static_cast<double>(ramp.response()[static_cast<std::size_t>(k)]) *
               cosine[static_cast<std::size_t>(k * tap % n)];
    sum += times(tap) * std::abs(value);
  }
  return sum;
}

}  // namespace

bool filters_on_device(const Scan& scan, const FilterOptions& options, const FdkWeights& weights) {
  return scan.detector.shape == Detector::Shape::flat && options.filters() && !options.hilbert() && options.pad == 0 &&
         (options.variant == "auto" || options.variant == "fft") && !weights.scheme.starts_with("offset detector");
}

/// In-place transforms of all pairs of rows.
struct RowFilter::Transforms {
  cufftHandle plan = 0;

  Transforms(int size, int rows, cudaStream_t stream) {
    check_fft(cufftPlanMany(&plan, 1, &size, &size, 1, size, &size, 1, size, CUFFT_C2C, rows), "planning");
    check_fft(cufftSetStream(plan, stream), "choosing the stream");
  }
  ~Transforms() { cufftDestroy(plan); }
  Transforms(const Transforms&) = delete;
  Transforms& operator=(const Transforms&) = delete;

  void run(cufftComplex* rows, int direction) { check_fft(cufftExecC2C(plan, rows, rows, direction), "a transform"); }
};

RowFilter::RowFilter(const Scan& scan, const FilterOptions& options, const FdkWeights& weights, std::int64_t views,
                     Stream& stream)
    : stream_(stream), capacity_(views) {
  const Detector& d = scan.detector;
  const RampFilter ramp(d.columns, window_from(options.window), options.cutoff);
  rows_ = {static_cast<int>(d.rows), static_cast<int>(d.columns), static_cast<int>(ramp.size())};
  response_ = uploaded(ramp.response());
  largest_gain_ = static_cast<float>(tap_sum(ramp));
  upload_weights(scan, weights);
  padded_ = DeviceBuffer<cufftComplex>(std::int64_t{rows_.size} * rows_.pairs() * views);
  BACKLIT_CUDA(cudaMemset(padded_.data(), 0, padded_.bytes()));
  transforms_ = std::make_unique<Transforms>(rows_.size, static_cast<int>(rows_.pairs() * views), stream);
}

RowFilter::~RowFilter() = default;

void RowFilter::upload_weights(const Scan& scan, const FdkWeights& weights) {
  std::vector<RowWeight<float>> rows;
  std::vector<ViewWeights> views;
  std::vector<float> redundancy;
  for (const auto& table : weights.ray) redundancy.insert(redundancy.end(), table.begin(), table.end());
  double largest = 0;
  for (std::int64_t n = 0; n < scan.view_count(); ++n) {
    const auto i = static_cast<std::size_t>(n);
    views.push_back({static_cast<float>(weights.gap[i]), weights.ray.size() > 1 ? static_cast<int>(n) : 0});
    for (std::int64_t row = 0; row < scan.detector.rows; ++row) {
      const RowWeight<double> w = row_weight(scan.detector, scan.views[i], row);
      rows.push_back({static_cast<float>(w.a0), static_cast<float>(w.a1), static_cast<float>(w.q0),
                      static_cast<float>(w.q1), static_cast<float>(w.q2)});
      for (double at : {0.0, 0.5, 1.0})
        largest = std::max(largest, std::abs(weights.gap[i] * weight_at(w, at * static_cast<double>(rows_.columns))));
    }
  }
  // Weights are smooth along a row; twice the largest of three leaves room for what lies between them.
  largest_gain_ *= static_cast<float>(2 * largest * *std::max_element(redundancy.begin(), redundancy.end()));
  row_weights_ = uploaded(rows);
  view_weights_ = uploaded(views);
  redundancy_ = uploaded(redundancy);
}

void RowFilter::run(int count, const float* values, const int* index) {
  weigh_and_pad(stream_, rows_, count, values, index, {row_weights_.data(), view_weights_.data(), redundancy_.data()},
                padded_.data());
  filter_padded(count);
}

void RowFilter::run(int count, const std::uint16_t* counts, const CountTables& tables, const int* index) {
  weigh_and_pad(stream_, rows_, count, counts, tables, index,
                {row_weights_.data(), view_weights_.data(), redundancy_.data()}, padded_.data());
  filter_padded(count);
}

/// The transforms run over all rows that there is room for: a plan has one size.
void RowFilter::filter_padded(int count) {
  stream_.timed("transform rows", [&] { transforms_->run(padded_.data(), CUFFT_FORWARD); });
  apply_response(stream_, rows_, count, response_.data(), padded_.data());
  stream_.timed("transform rows", [&] { transforms_->run(padded_.data(), CUFFT_INVERSE); });
}

}  // namespace backlit::cuda
