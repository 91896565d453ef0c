// FDK's weights and ramp over rows on the device, for the backend's filter and the pipelines.
#pragma once

#include <memory>
#include <string_view>

#include "cuda/device/memory.hpp"
#include "cuda/filter/kernels.hpp"

namespace backlit::cuda {

/// Whether the device can filter this scan with these options: by transform, for flat detectors.
bool filters_on_device(const Scan&, const FilterOptions&);

/// Filters views on the device. Belongs to one stream.
class RowFilter {
 public:
  RowFilter(const FilterTables&, Stream&);
  ~RowFilter();
  RowFilter(const RowFilter&) = delete;
  RowFilter& operator=(const RowFilter&) = delete;

  /// Filters `count` views; view i is the scan's view index[i] (on the device). In-place operation is allowed where the
  /// detector was not widened.
  void run(std::int64_t count, const RowSource&, const int* index, float* out);

  /// Upper bound of the growth of magnitudes: no filtered value exceeds the largest line integral times this.
  float largest_gain() const { return largest_gain_; }
  /// Approximate bytes of device memory for a filter.
  static std::int64_t device_bytes(const Scan&);

 private:
  struct Transforms;
  void run_in_steps(std::int64_t count, const RowSource&, const int* index, float* out);

  Stream& stream_;
  FilterRows rows_;
  float largest_gain_;
  DeviceBuffer<FilterTables::ViewWeight> views_;
  DeviceBuffer<float> response_, redundancy_;
  DeviceBuffer<Complex> roots_;             ///< for filter_rows()
  std::unique_ptr<Transforms> transforms_;  ///< for rows that are too long for it
};

}  // namespace backlit::cuda
