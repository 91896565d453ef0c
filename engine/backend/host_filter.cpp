// The filter of backends that have none of their own: FdkFilter on the host, then an upload.
#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/backend.hpp"
#include "core/parallel.hpp"
#include "preprocess/fdk_filter.hpp"
#include "preprocess/widened_scan.hpp"
#include "projector/make_view_map.hpp"

namespace backlit {
namespace {

/// Columns that a displaced detector lacks on its short side to be symmetric about the axis; negative: on the left.
std::int64_t missing_columns(const Scan& scan) {
  double lack = 0;
  for (const View& view : scan.views) {
    const double height = view.beam == Beam::parallel ? view.center.z : view.source.z;
    const double axis = project_point(make_view_map(scan.detector, view), 0.0, 0.0, height).column;
    const double here = 2 * (axis - scan.detector.middle_column());
    if (std::abs(here) > std::abs(lack)) lack = here;
  }
  return static_cast<std::int64_t>(lack < 0 ? std::floor(lack) : std::ceil(lack));
}

/// A displaced detector's rows must be filtered beyond its short side: voxels there get what the ramp spreads from the
/// columns that were measured. So the redundancy weights are applied first, then zero columns make it symmetric.
struct Widening {
  Widening(const Scan& scan, const FilterOptions& asked)
      : options(asked), wide(scan), weights(fdk_weights(scan, asked)) {
    if (!weights.scheme.starts_with("offset detector")) return;
    const std::int64_t lack = missing_columns(scan);
    left = std::max<std::int64_t>(0, -lack);
    right = std::max<std::int64_t>(0, lack);
    wide = widened(scan, left, right);
    options.redundancy = "none";  // which counts every ray as 1/2: hence the 2 in run()
  }
  bool needed() const { return left + right > 0; }
  float weight(std::int64_t view, std::int64_t column) const {
    const auto& rows = weights.ray;
    return 2 * rows[rows.size() == 1 ? 0 : static_cast<std::size_t>(view)][static_cast<std::size_t>(column)];
  }

  FilterOptions options;
  Scan wide;
  FdkWeights weights;
  std::int64_t left = 0, right = 0;
};

class HostFilter final : public ProjectionFilter {
 public:
  HostFilter(Backend& backend, const Scan& scan, const FilterOptions& options)
      : backend_(backend),
        detector_(scan.detector),
        widening_(scan, options),
        filter_(widening_.wide, widening_.options) {}

  const Scan& scan() const override { return widening_.wide; }

  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    if (widening_.needed())
      widen(first, views);
    else
      work_.assign(views.begin(), views.end());
    filter_.run(first, work_);
    backend_.upload(work_, out);
  }

 private:
  void widen(std::int64_t first, std::span<const float> views) {
    const std::int64_t columns = detector_.columns, wide = widening_.wide.detector.columns;
    const std::int64_t rows = static_cast<std::int64_t>(views.size()) / columns;
    work_.assign(static_cast<std::size_t>(rows * wide), 0.0f);
    parallel_for(rows, [&](std::int64_t row) {
      const float* from = views.data() + row * columns;
      float* to = work_.data() + row * wide + widening_.left;
      const std::int64_t view = first + row / detector_.rows;
      for (std::int64_t c = 0; c < columns; ++c) to[c] = widening_.weight(view, c) * from[c];
    });
  }

  Backend& backend_;
  Detector detector_;
  Widening widening_;
  FdkFilter filter_;
  std::vector<float> work_;  // keeps its memory from batch to batch
};

}  // namespace

std::unique_ptr<ProjectionFilter> Backend::make_filter(const Scan& scan, const FilterOptions& options) {
  return std::make_unique<HostFilter>(*this, scan, options);
}

}  // namespace backlit
