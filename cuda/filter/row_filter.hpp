// FDK's weights and ramp over rows on the device: what the filter of the backend and the pipeline share.
#pragma once

#include <memory>
#include <vector>

#include "filter/kernels.hpp"
#include "geometry/view.hpp"
#include "memory.hpp"
#include "preprocess/fdk_filter.hpp"

namespace backlit::cuda {

/// Whether the device can filter this scan as asked: by transform, for flat detectors that are not displaced.
bool filters_on_device(const Scan&, const FilterOptions&, const FdkWeights&);

/// Filters up to `views` views at a time into padded rows on the device. Belongs to one stream.
class RowFilter {
 public:
  RowFilter(const Scan&, const FilterOptions&, const FdkWeights&, std::int64_t views, Stream&);
  ~RowFilter();
  RowFilter(const RowFilter&) = delete;
  RowFilter& operator=(const RowFilter&) = delete;

  const FilterRows& rows() const { return rows_; }
  std::int64_t capacity() const { return capacity_; }
  /// Filtered rows of the last run: pairs of rows, rows().size complex numbers each.
  const cufftComplex* padded() const { return padded_.data(); }

  /// Filters `count` views of line integrals, or of counts; view i is the scan's view index[i] (on the device).
  void run(int count, const float* values, const int* index);
  void run(int count, const std::uint16_t* counts, const CountTables&, const int* index);

  /// By how much the largest magnitude of line integrals can grow: no filtered value exceeds theirs times this.
  float largest_gain() const { return largest_gain_; }

 private:
  void upload_weights(const Scan&, const FdkWeights&);
  void filter_padded(int count);

  Stream& stream_;
  FilterRows rows_{};
  std::int64_t capacity_;
  float largest_gain_ = 0;
  DeviceBuffer<float> response_, redundancy_;
  DeviceBuffer<cufftComplex> padded_;
  DeviceBuffer<RowWeight<float>> row_weights_;
  DeviceBuffer<ViewWeights> view_weights_;
  struct Transforms;
  std::unique_ptr<Transforms> transforms_;
};

}  // namespace backlit::cuda
