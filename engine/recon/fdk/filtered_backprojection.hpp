// Filters and backprojects views, for FDK and for each iteration of iterative FDK.
#pragma once

#include <utility>

#include <backlit/core/timeline.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "projectors/slabwise.hpp"
#include "recon/batch_size.hpp"

namespace backlit {

/// Adds the time between its construction and its destruction to a stage, and to a timeline if there is one.
class TimedSpan {
 public:
  /// Of `count` items from `first` on.
  TimedSpan(StageSeconds& seconds, Timeline* spans, const char* stage, std::int64_t first, std::int64_t count,
            const char* items)
      : watch_(seconds, stage), spans_(spans), begin_(clock_seconds()) {
    if (spans_)
      span_ = {stage, std::string(items) + " " + std::to_string(first) + " to " + std::to_string(first + count - 1),
               begin_, 0};
  }
  ~TimedSpan() {
    span_.seconds = clock_seconds() - begin_;
    if (spans_) spans_->push_back(std::move(span_));
  }
  TimedSpan(const TimedSpan&) = delete;
  TimedSpan& operator=(const TimedSpan&) = delete;
  double elapsed() const { return watch_.elapsed(); }

 private:
  Stopwatch watch_;
  Timeline* spans_;
  double begin_;
  TimeSpan span_;
};

/// A volume to which views are added. Holds one batch of views, or all views if the operator prefers them in one call.
class FilteredBackprojection {
 public:
  /// CtOptions::weighting is ignored. `seconds` receives the stages "filter" and "backproject", and `spans` when they
  /// ran, if it is not null. Both and the backend must outlive this object.
  FilteredBackprojection(Backend&, const Scan&, const VolumeGrid&, CtOptions, const FilterOptions&,
                         StageSeconds& seconds, Timeline* spans = nullptr);

  /// The number of views of the next batch: about 20 ms of backprojection, in multiples of four because of
  /// in_packing_order().
  std::int64_t batch() const { return std::min(batch_.size() / least_batch * least_batch, scan_.view_count() - done_); }
  /// Adds the next views, rows x columns of line integrals each. The last views complete the volume. If it is computed
  /// in slabs, they are backprojected by finish_slices().
  void add(std::span<const float> views);
  std::int64_t done() const { return done_; }  ///< views added
  bool complete() const { return done_ == scan_.view_count(); }
  /// Sets the volume to 0 for another pass over the views.
  void restart();
  /// The sum over the views added so far.
  DeviceArray& volume();
  /// The same, once all views are added: below `end` after finish_slices(end).
  DeviceArray& unfinished() { return *volume_; }
  /// Of a complete volume; negative: of all.
  void finish_slices(std::int64_t end);
  /// Slices that finish_slices() makes at a time; 0 where nothing is left to it.
  std::int64_t slab_slices() const;
  const LinearOperator& backprojector() const { return *operator_; }

 private:
  static constexpr std::int64_t least_batch = 4;

  /// Backprojects the collected views, if views are collected in whole_.
  void catch_up();

  /// Whether slabs of the volume are computed one after another.
  bool in_slabs() const;

  Backend& backend_;
  Scan scan_;
  StageSeconds& seconds_;
  Timeline* spans_;
  std::unique_ptr<ProjectionFilter> filter_;
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_;
  ArrayPtr whole_;     ///< all views on the device; null where views are processed in batches
  ArrayPtr filtered_;  ///< one batch on the device
  BatchSize batch_;
  std::int64_t done_ = 0;       ///< views
  std::int64_t in_volume_ = 0;  ///< views that the volume holds already, in all slices
  std::int64_t finished_ = 0;   ///< slices that hold all views
};

}  // namespace backlit
