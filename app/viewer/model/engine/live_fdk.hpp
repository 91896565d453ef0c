// FDK to watch: each batch of views adds to the volume as it comes; once all are on the device, other parameters take
// filtering and backprojection alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "model/engine/measured_views.hpp"

namespace backlit::viewer {

class LiveFdk final : public Reconstruction {
 public:
  /// step() adds views that are there, whatever their order, and does nothing while there are none.
  /// `scan`: of the views, perhaps corrected. `batch`: views a step at the most, and from one picture to the next.
  /// `at_once`: all views in one step, packed as is best for the whole. `measured` must outlive this. `previous` (may
  /// be null, and in progress) is of the same views: its plan is used again where it fits.
  LiveFdk(MeasuredViews& measured, const Scan& scan, const VolumeGrid&, const FdkOptions&, std::int64_t batch,
          bool at_once, LiveFdk* previous = nullptr);
  /// Before the first step. The constructor's `previous` is no longer needed: its arrays, too, are used again where
  /// they fit.
  void begin();
  /// How long a step of some views is to take; orders are heard between steps.
  void set_step_seconds(double seconds) { step_seconds_ = seconds; }
  /// Called in a step that does all at once, while the device is at work.
  void set_meanwhile(std::function<void()> work) { meanwhile_ = std::move(work); }

  Status step() override;
  ReconProgress progress() const override { return {"backproject", done_, count_, "views", 0}; }
  std::span<const double> residuals() const override { return {}; }
  /// Of the views so far, times what is missing: the values are right from the first batch on.
  void publish(DisplayVolume&) override;
  Volume download() override;  ///< likewise
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }  ///< once begun

  bool at_once() const { return at_once_; }
  /// Seconds of work a pass over the views, reading aside.
  double work_seconds() const;

 private:
  struct Run {
    std::int64_t first, count;
  };
  /// The next views that are there and not in the volume yet, at most what a batch lacks; of none the count is 0.
  Run next_views() const;
  void add(const Run&);
  void filter(std::int64_t first, std::int64_t count, DeviceArray& out);
  void everything();
  /// Whether its operator backprojects these views onto this grid: another filter may leave them as they were.
  bool plans(const VolumeGrid&, const Scan& seen, const CtOptions&) const;

  MeasuredViews& measured_;
  Backend& backend_;
  VolumeGrid grid_;
  std::int64_t count_;  ///< of views; what is shown may outlive `measured`
  CtOptions ct_;
  StageSeconds seconds_;
  std::unique_ptr<ProjectionFilter> filter_;
  LiveFdk* previous_;  ///< until this has begun
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_, filtered_;
  ArrayPtr scaled_;  ///< the volume as it is shown while views are missing
  std::vector<bool> added_;
  std::int64_t batch_, done_ = 0;
  double step_seconds_ = 0.04;
  std::int64_t views_a_step_ = 1;  ///< what takes about as long as a work item should
  bool at_once_;
  std::function<void()> meanwhile_;
};

}  // namespace backlit::viewer
