// Filter and backproject, view by view: what FDK does once and iterative FDK every iteration.
#pragma once

#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "recon/batch_size.hpp"

namespace backlit {

/// A volume that views are added to. Holds one batch of them, or all where the operator wants them together.
class FilteredBackprojection {
 public:
  /// What `CtOptions` says of weighting does not count. `seconds` gets the stages "filter" and "backproject"; it must
  /// outlive this, as the backend must.
  FilteredBackprojection(Backend&, const Scan&, const VolumeGrid&, CtOptions, const FilterOptions&,
                         StageSeconds& seconds);

  /// How many views make the next batch: some 20 ms of backprojection, in fours, as in_packing_order() has them.
  std::int64_t batch() const { return std::min(batch_.size() / least_batch * least_batch, scan_.view_count() - done_); }
  /// Adds the next views, rows x columns of line integrals each. The last ones complete the volume.
  void add(std::span<const float> views);
  std::int64_t done() const { return done_; }  ///< views added
  bool complete() const { return done_ == scan_.view_count(); }
  /// Empties the volume for another pass over the views.
  void restart();
  /// The sum over the views added so far.
  DeviceArray& volume();
  const LinearOperator& backprojector() const { return *operator_; }

 private:
  static constexpr std::int64_t least_batch = 4;

  /// Brings the volume up to the views so far, where they are collected before they are backprojected.
  void catch_up();

  Backend& backend_;
  Scan scan_;
  StageSeconds& seconds_;
  std::unique_ptr<ProjectionFilter> filter_;
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_;
  ArrayPtr whole_;     ///< all views on the device; null where they go through in batches
  ArrayPtr filtered_;  ///< one batch on the device
  BatchSize batch_;
  std::int64_t done_ = 0;       ///< views
  std::int64_t in_volume_ = 0;  ///< of those, views that the volume holds already
};

}  // namespace backlit
