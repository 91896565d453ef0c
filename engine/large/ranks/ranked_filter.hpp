// FDK's filter for the detector rows that a rank's slab sees.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>

namespace backlit {

/// Filters into arrays of a RankedOperator: whole views come, the rank's rows are filtered. On the cpu these get the
/// bits that they have among all rows.
class RankedFilter final : public ProjectionFilter {
 public:
  /// `device` must outlive the filter. Throws what its own filter throws.
  RankedFilter(Backend& device, const Scan&, const FilterOptions&);

  const Scan& scan() const override { return wide_; }
  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override;
  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override;

 private:
  ProjectionFilter& filter_for(const IndexRange& rows);

  Backend& device_;
  Scan scan_, wide_;
  FilterOptions options_;
  std::unique_ptr<ProjectionFilter> filter_;
  std::optional<IndexRange> rows_;  ///< that filter_ is for
  std::vector<float> views_;        ///< rows of views, as the device's filter takes them
};

}  // namespace backlit
