#include "filter/cuda_filter.hpp"

#include <algorithm>
#include <vector>

#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "filter/kernels.hpp"
#include "preprocess/fdk_filter.hpp"
#include "preprocess/ramp_filter.hpp"

namespace backlit::cuda {
namespace {

void check_fft(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS)
    throw Failure("cuFFT", std::string(what) + " failed with code " + std::to_string(static_cast<int>(status)),
                  "is the device's memory full?");
}

/// In-place real transforms of a batch of rows, forwards and back.
class RowTransforms {
 public:
  RowTransforms(int size, int rows, cudaStream_t stream) {
    int n = size, real = 2 * (size / 2 + 1), complex = size / 2 + 1;
    check_fft(cufftPlanMany(&forward_, 1, &n, &real, 1, real, &complex, 1, complex, CUFFT_R2C, rows), "planning");
    check_fft(cufftPlanMany(&backward_, 1, &n, &complex, 1, complex, &real, 1, real, CUFFT_C2R, rows), "planning");
    check_fft(cufftSetStream(forward_, stream), "choosing the stream");
    check_fft(cufftSetStream(backward_, stream), "choosing the stream");
  }
  ~RowTransforms() {
    cufftDestroy(forward_);
    cufftDestroy(backward_);
  }
  RowTransforms(const RowTransforms&) = delete;
  RowTransforms& operator=(const RowTransforms&) = delete;

  void forward(float* rows) {
    check_fft(cufftExecR2C(forward_, rows, reinterpret_cast<cufftComplex*>(rows)), "a transform");
  }
  void backward(float* rows) {
    check_fft(cufftExecC2R(backward_, reinterpret_cast<cufftComplex*>(rows), rows), "a transform");
  }

 private:
  cufftHandle forward_ = 0, backward_ = 0;
};

template <class T>
DeviceBuffer<T> uploaded(const std::vector<T>& host) {
  DeviceBuffer<T> buffer(static_cast<std::int64_t>(host.size()));
  BACKLIT_CUDA(cudaMemcpy(buffer.data(), host.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

/// View by view, so that a view's padded rows stay in the L2 cache from the first kernel to the last.
class CudaFilter final : public ProjectionFilter {
 public:
  CudaFilter(CudaBackend& backend, const Scan& scan, const FilterOptions& options, const FdkWeights& weights)
      : backend_(backend), scan_(scan) {
    const Detector& d = scan.detector;
    const RampFilter ramp(d.columns, window_from(options.window), options.cutoff);
    rows_ = {static_cast<int>(d.rows), static_cast<int>(d.columns), static_cast<int>(ramp.size())};
    const auto half = static_cast<std::size_t>(ramp.size() / 2 + 1);
    response_ = uploaded(
        std::vector<float>(ramp.response().begin(), ramp.response().begin() + static_cast<std::ptrdiff_t>(half)));
    set_weights(weights);
    padded_ = DeviceBuffer<float>(std::int64_t{rows_.stride()} * rows_.rows);
    transforms_ = std::make_unique<RowTransforms>(rows_.size, rows_.rows, backend.stream());
  }

  const Scan& scan() const override { return scan_; }

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    Stream& stream = backend_.stream();
    backend_.upload(views, out);  // filtered in place
    const std::int64_t pixels = scan_.detector.pixels(), count = out.shape().n2;
    for (std::int64_t n = 0; n < count; ++n) {
      float* view = ours(out).data() + n * pixels;
      weigh_and_pad(stream, rows_, rows_.rows, view, row_weights_.data() + (first + n) * rows_.rows,
                    view_weights_.data() + first + n, redundancy_.data(), padded_.data());
      transforms_->forward(padded_.data());
      apply_response(stream, rows_, response_.data(), reinterpret_cast<cufftComplex*>(padded_.data()));
      transforms_->backward(padded_.data());
      crop(stream, rows_, padded_.data(), view);
    }
  }

 private:
  void set_weights(const FdkWeights& weights) {
    std::vector<RowWeight<float>> rows;
    std::vector<ViewWeights> views;
    std::vector<float> redundancy;
    for (const auto& table : weights.ray) redundancy.insert(redundancy.end(), table.begin(), table.end());
    for (std::int64_t n = 0; n < scan_.view_count(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      views.push_back({static_cast<float>(weights.gap[i]), weights.ray.size() > 1 ? static_cast<int>(n) : 0});
      for (std::int64_t row = 0; row < scan_.detector.rows; ++row) {
        const RowWeight<double> w = row_weight(scan_.detector, scan_.views[i], row);
        rows.push_back({static_cast<float>(w.a0), static_cast<float>(w.a1), static_cast<float>(w.q0),
                        static_cast<float>(w.q1), static_cast<float>(w.q2)});
      }
    }
    row_weights_ = uploaded(rows);
    view_weights_ = uploaded(views);
    redundancy_ = uploaded(redundancy);
  }

  CudaBackend& backend_;
  Scan scan_;
  FilterRows rows_{};
  DeviceBuffer<float> response_, redundancy_, padded_;
  DeviceBuffer<RowWeight<float>> row_weights_;
  DeviceBuffer<ViewWeights> view_weights_;
  std::unique_ptr<RowTransforms> transforms_;
};

}  // namespace

std::unique_ptr<ProjectionFilter> make_cuda_filter(CudaBackend& backend, const Scan& scan,
                                                   const FilterOptions& options) {
  if (scan.detector.shape == Detector::Shape::curved || !options.filters() || options.hilbert() || options.pad > 0)
    return nullptr;
  const FdkWeights weights = fdk_weights(scan, options);
  if (weights.scheme.starts_with("offset detector")) return nullptr;
  return std::make_unique<CudaFilter>(backend, scan, options, weights);
}

}  // namespace backlit::cuda
