#include "filter/cuda_filter.hpp"

#include <numeric>

#include "cuda_array.hpp"
#include "cuda_backend.hpp"
#include "filter/row_filter.hpp"

namespace backlit::cuda {
namespace {

/// View by view, so that a view's padded rows stay in the L2 cache from the first kernel to the last.
class CudaFilter final : public ProjectionFilter {
 public:
  CudaFilter(CudaBackend& backend, const Scan& scan, const FilterOptions& options, const FdkWeights& weights)
      : backend_(backend),
        scan_(scan),
        filter_(scan, options, weights, 1, backend.stream()),
        index_(scan.view_count()) {
    std::vector<int> index(static_cast<std::size_t>(scan.view_count()));
    std::iota(index.begin(), index.end(), 0);
    BACKLIT_CUDA(cudaMemcpy(index_.data(), index.data(), index_.bytes(), cudaMemcpyHostToDevice));
  }

  const Scan& scan() const override { return scan_; }

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    backend_.upload(views, out);
    filter(first, ours(out).data(), out);  // in place
  }

  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override {
    filter(first, ours(views).data(), out);
  }

 private:
  void filter(std::int64_t first, const float* views, DeviceArray& out) {
    for (std::int64_t n = 0; n < out.shape().n2; ++n) {
      const std::int64_t view = n * scan_.detector.pixels();
      filter_.run(1, views + view, index_.data() + first + n);
      crop(backend_.stream(), filter_.rows(), 1, filter_.padded(), ours(out).data() + view);
    }
  }

  CudaBackend& backend_;
  Scan scan_;
  RowFilter filter_;
  DeviceBuffer<int> index_;
};

}  // namespace

std::unique_ptr<ProjectionFilter> make_cuda_filter(CudaBackend& backend, const Scan& scan,
                                                   const FilterOptions& options) {
  const FdkWeights weights = fdk_weights(scan, options);
  if (!filters_on_device(scan, options, weights)) return nullptr;
  return std::make_unique<CudaFilter>(backend, scan, options, weights);
}

}  // namespace backlit::cuda
