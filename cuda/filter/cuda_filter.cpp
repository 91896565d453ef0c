#include "cuda/filter/cuda_filter.hpp"

#include <numeric>

#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/filter/row_filter.hpp"

namespace backlit::cuda {
namespace {

class CudaFilter final : public ProjectionFilter {
 public:
  CudaFilter(CudaBackend& backend, const Scan& scan, const FilterOptions& options)
      : CudaFilter(backend, FilterTables(scan, options)) {}
  CudaFilter(CudaBackend& backend, const FilterTables& tables)
      : backend_(backend),
        scan_(tables.scan()),
        measured_{tables.columns, scan_.detector.rows, 0},
        widened_(tables.widening.needed()),
        filter_(tables, backend.stream()),
        index_(scan_.view_count()) {
    std::vector<int> index(static_cast<std::size_t>(scan_.view_count()));
    std::iota(index.begin(), index.end(), 0);
    BACKLIT_CUDA(
        cudaMemcpyAsync(index_.data(), index.data(), index_.bytes(), cudaMemcpyHostToDevice, backend.stream()));
  }

  const Scan& scan() const override { return scan_; }

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    const std::int64_t count = out.shape().n2;
    if (!widened_) {
      backend_.upload(views, out);
      return filter(first, ours(out).data(), out);  // in place
    }
    if (!staging_ || staging_->shape().n2 != count)
      staging_ = std::make_unique<CudaArray>(ArrayShape{measured_.n0, measured_.n1, count});
    backend_.upload(views, *staging_);
    filter(first, staging_->data(), out);
  }

  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override {
    filter(first, ours(views).data(), out);
  }

 private:
  void filter(std::int64_t first, const float* views, DeviceArray& out) {
    filter_.run(out.shape().n2, {views, nullptr, {}}, index_.data() + first, ours(out).data());
  }

  CudaBackend& backend_;
  Scan scan_;
  ArrayShape measured_;  ///< shape of a measured view
  bool widened_;
  RowFilter filter_;
  DeviceBuffer<int> index_;
  std::unique_ptr<CudaArray> staging_;
};

}  // namespace

std::unique_ptr<ProjectionFilter> make_cuda_filter(CudaBackend& backend, const Scan& scan,
                                                   const FilterOptions& options) {
  if (!filters_on_device(scan, options)) return nullptr;
  return std::make_unique<CudaFilter>(backend, scan, options);
}

}  // namespace backlit::cuda
