#include "cuda/filter/row_filter.hpp"

#include <algorithm>
#include <string>

#include <backlit/geometry/types.hpp>
#include "preprocess/filter/ramp_filter.hpp"

namespace backlit::cuda {
namespace {

/// Few, so that padded rows stay in the L2 cache from the first kernel to the last.
constexpr std::int64_t views_in_steps = 2;

void check_fft(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS)
    throw DeviceFailure("cuFFT", std::string(what) + " failed with code " + std::to_string(static_cast<int>(status)),
                        "is the device's memory full?");
}

template <class T>
DeviceBuffer<T> uploaded(const std::vector<T>& host, cudaStream_t stream) {
  DeviceBuffer<T> buffer(static_cast<std::int64_t>(host.size()));
  BACKLIT_CUDA(cudaMemcpyAsync(buffer.data(), host.data(), buffer.bytes(), cudaMemcpyHostToDevice, stream));
  return buffer;
}

}  // namespace

bool filters_on_device(const Scan& scan, const FilterOptions& options) {
  return scan.detector.shape == Detector::Shape::flat && options.filters() && !options.hilbert() && options.pad == 0 &&
         (options.variant == FilterVariant::automatic || options.variant == FilterVariant::fft);
}

/// Padded rows, and in-place transforms of all pairs of them.
struct RowFilter::Transforms {
  cufftHandle plan = 0;
  DeviceBuffer<cufftComplex> padded;

  Transforms(const FilterRows& rows, cudaStream_t stream)
      : padded(std::int64_t{rows.size} * rows.pairs() * views_in_steps) {
    int size = rows.size;
    BACKLIT_CUDA(cudaMemsetAsync(padded.data(), 0, padded.bytes(), stream));
    check_fft(cufftPlanMany(&plan, 1, &size, &size, 1, size, &size, 1, size, CUFFT_C2C,
                            static_cast<int>(rows.pairs() * views_in_steps)),
              "planning");
    check_fft(cufftSetStream(plan, stream), "choosing the stream");
  }
  ~Transforms() { cufftDestroy(plan); }
  Transforms(const Transforms&) = delete;
  Transforms& operator=(const Transforms&) = delete;

  /// Over all rows that there is room for: a plan has one size.
  void run(int direction) { check_fft(cufftExecC2C(plan, padded.data(), padded.data(), direction), "a transform"); }
};

RowFilter::RowFilter(const FilterTables& tables, Stream& stream)
    : stream_(stream), views_(uploaded(tables.views(), stream)), redundancy_(uploaded(tables.redundancy, stream)) {
  const Detector& d = tables.scan().detector;
  const auto filter = tables.filter();
  const std::vector<double> taps = filter->taps();
  largest_gain_ = tables.largest_gain(taps);
  const int fused = fused_size(d.columns), size = fused > 0 ? fused : static_cast<int>(filter->size());
  rows_ = {static_cast<int>(d.rows), static_cast<int>(tables.columns), static_cast<int>(tables.widening.left),
           static_cast<int>(d.columns), size};
  if (fused > 0) {
    const FusedTables t = fused_tables(response_of(taps, size));
    roots_ = uploaded(t.roots, stream);
    response_ = uploaded(t.response, stream);
  } else {
    response_ = uploaded(filter->response(), stream);
    transforms_ = std::make_unique<Transforms>(rows_, stream);
  }
}

RowFilter::~RowFilter() = default;

void RowFilter::run(std::int64_t count, const RowSource& from, const int* index, float* out) {
  constexpr std::int64_t most = 32768;  // a grid's second side
  const std::int64_t in = std::int64_t{rows_.rows} * rows_.measured,
                     filtered = std::int64_t{rows_.rows} * rows_.columns;
  const std::int64_t together = transforms_ ? views_in_steps : most;
  for (std::int64_t done = 0; done < count; done += together) {
    const std::int64_t n = std::min(together, count - done);
    const RowSource part = from.after(done * in);
    if (transforms_)
      run_in_steps(n, part, index + done, out + done * filtered);
    else
      filter_rows(stream_, rows_, static_cast<int>(n), part, index + done, {views_.data(), redundancy_.data()},
                  roots_.data(), response_.data(), out + done * filtered);
  }
}

void RowFilter::run_in_steps(std::int64_t views, const RowSource& from, const int* index, float* out) {
  const auto count = static_cast<int>(views);
  cufftComplex* const padded = transforms_->padded.data();
  weigh_and_pad(stream_, rows_, count, from, index, {views_.data(), redundancy_.data()}, padded);
  stream_.timed("transform rows", [&] { transforms_->run(CUFFT_FORWARD); });
  apply_response(stream_, rows_, count, response_.data(), padded);
  stream_.timed("transform rows", [&] { transforms_->run(CUFFT_INVERSE); });
  crop(stream_, rows_, count, padded, out);
}

std::int64_t RowFilter::device_bytes(const Scan& scan) {
  const bool fused = fused_size(scan.detector.columns) > 0;
  // Pairs of rows are complex rows of less than 2.5 times the columns; redundancy may be a row a view.
  return (fused ? 0 : 10 * scan.detector.pixels() * views_in_steps) +
         4 * scan.view_count() * (scan.detector.columns + 16);
}

}  // namespace backlit::cuda
