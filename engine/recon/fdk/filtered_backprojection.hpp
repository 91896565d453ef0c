// Filters and backprojects views, for FDK and for each iteration of iterative FDK.
#pragma once

#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "recon/batch_size.hpp"

namespace backlit {

/// A volume to which views are added. Holds one batch of views, or all views if the operator prefers them in one call.
class FilteredBackprojection {
 public:
  /// CtOptions::weighting is ignored. `seconds` receives the stages "filter" and "backproject". `seconds` and the
  /// backend must outlive this object.
  FilteredBackprojection(Backend&, const Scan&, const VolumeGrid&, CtOptions, const FilterOptions&,
                         StageSeconds& seconds);

  /// The number of views of the next batch: about 20 ms of backprojection, in multiples of four because of
  /// in_packing_order().
  std::int64_t batch() const { return std::min(batch_.size() / least_batch * least_batch, scan_.view_count() - done_); }
  /// Adds the next views, rows x columns of line integrals each. The last views complete the volume.
  void add(std::span<const float> views);
  std::int64_t done() const { return done_; }  ///< views added
  bool complete() const { return done_ == scan_.view_count(); }
  /// Sets the volume to 0 for another pass over the views.
  void restart();
  /// The sum over the views added so far.
  DeviceArray& volume();
  const LinearOperator& backprojector() const { return *operator_; }

 private:
  static constexpr std::int64_t least_batch = 4;

  /// Backprojects the collected views, if views are collected in whole_.
  void catch_up();

  Backend& backend_;
  Scan scan_;
  StageSeconds& seconds_;
  std::unique_ptr<ProjectionFilter> filter_;
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_;
  ArrayPtr whole_;     ///< all views on the device; null where views are processed in batches
  ArrayPtr filtered_;  ///< one batch on the device
  BatchSize batch_;
  std::int64_t done_ = 0;       ///< views
  std::int64_t in_volume_ = 0;  ///< views that the volume holds already
};

}  // namespace backlit
