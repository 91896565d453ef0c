// The filter of backends that have none of their own: FdkFilter on the host, then an upload.
#include <fmt/format.h>

#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "preprocess/filter/widening.hpp"
#include "recon/fdk/host_filter.hpp"

namespace backlit {
namespace {

class HostFilter final : public ProjectionFilter {
 public:
  HostFilter(Backend& backend, const Scan& scan, const FilterOptions& options, const IndexRange& rows)
      : backend_(backend),
        detector_(scan.detector),
        rows_(rows),
        widening_(scan, options),
        filter_(widening_.wide, widening_.options, rows) {}

  const Scan& scan() const override { return widening_.wide; }

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    if (widening_.needed())
      widen(first, views);
    else
      work_.assign(views.begin(), views.end());
    filter_.run(first, work_);
    backend_.upload(work_, out);
  }

  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override {
    std::vector<float> host(static_cast<std::size_t>(views.count()));
    backend_.download(views, host);
    run(first, host, out);
  }

 private:
  void widen(std::int64_t first, std::span<const float> views) {
    const std::int64_t columns = detector_.columns, wide = widening_.wide.detector.columns;
    const std::int64_t rows = static_cast<std::int64_t>(views.size()) / columns;
    work_.assign(static_cast<std::size_t>(rows * wide), 0.0f);
    parallel_for(rows, [&](std::int64_t row) {
      const float* from = views.data() + row * columns;
      float* to = work_.data() + row * wide + widening_.left;
      const std::int64_t view = first + row / rows_.count;
      for (std::int64_t c = 0; c < columns; ++c) to[c] = widening_.weight(view, c) * from[c];
    });
  }

  Backend& backend_;
  Detector detector_;
  IndexRange rows_;
  Widening widening_;
  FdkFilter filter_;
  std::vector<float> work_;  // keeps its memory from batch to batch
};

}  // namespace

void ProjectionFilter::run_on_device(std::int64_t, const DeviceArray&, DeviceArray&) {
  throw Unsupported("filter", "this backend's filter takes views from the host only", "use `filter_variant` host");
}

std::unique_ptr<FdkPipeline> Backend::make_fdk_pipeline(const Scan&, const VolumeGrid&, const FdkPipelineOptions&) {
  return nullptr;
}

std::unique_ptr<ProjectionFilter> Backend::make_filter(const Scan& scan, const FilterOptions& options) {
  if (options.variant == FilterVariant::fft || options.variant == FilterVariant::convolution)
    throw Unsupported("filter_variant", fmt::format("{} is not offered on {}", backlit::name(options.variant), name()),
                      "use `backend` gl, or `filter_variant` host");
  return make_host_filter(*this, scan, options, {0, scan.detector.rows});
}

std::unique_ptr<ProjectionFilter> make_host_filter(Backend& backend, const Scan& scan, const FilterOptions& options,
                                                   const IndexRange& rows) {
  return std::make_unique<HostFilter>(backend, scan, options, rows);
}

}  // namespace backlit
