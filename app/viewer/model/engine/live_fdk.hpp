// Interactive FDK: each batch of views is added to the volume as it arrives. Once all views are on the device, a change
// of parameters needs only filtering and backprojection.
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
  /// step() adds views that are available, in any order, and does nothing while there are none. `scan`: geometry of the
  /// views, perhaps corrected. `batch`: most views in a step, and the views between two pictures. `at_once`: all views
  /// in one step, with the packing that is best for all. `measured` must outlive this object. `previous` (may be null,
  /// or in progress): a run of the same views, whose plan is used again if it fits.
  LiveFdk(MeasuredViews& measured, const Scan& scan, const VolumeGrid&, const FdkOptions&, std::int64_t batch,
          bool at_once, LiveFdk* previous = nullptr);
  /// Call it before the first step. Takes arrays of `previous` that fit; `previous` is not needed afterwards.
  void begin();
  /// Desired time of a step; orders are taken between steps.
  void set_step_seconds(double seconds) { step_seconds_ = seconds; }
  /// Sets a function to call while the device works on a step with all views.
  void set_meanwhile(std::function<void()> work) { meanwhile_ = std::move(work); }

  Status step() override;
  ReconProgress progress() const override { return {"backproject", done_, count_, "views", 0}; }
  std::span<const double> residuals() const override { return {}; }
  /// Publishes the sum of the views so far, scaled to the full number of views: values are right from the first batch
  /// on.
  void publish(DisplayVolume&) override;
  Volume download() override;  ///< scaled in the same manner
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }  ///< valid after begin()

  bool at_once() const { return at_once_; }
  /// Seconds of one pass over the views without reading.
  double work_seconds() const;

 private:
  struct Run {
    std::int64_t first, count;
  };
  /// The next available views that are not yet in the volume, at most up to the end of the batch; count 0 if there are
  /// none. Groups of views far from each other follow each other, so that a part of the views already shows all sides.
  Run next_views() const;
  void add(const Run&);
  void filter(std::int64_t first, std::int64_t count, DeviceArray& out);
  void everything();
  /// Whether its operator backprojects these views onto this grid. `seen`: the views after filtering.
  bool plans(const VolumeGrid&, const Scan& seen, const CtOptions&) const;

  MeasuredViews& measured_;
  Backend& backend_;
  VolumeGrid grid_;
  std::int64_t count_;  ///< number of views; kept because this may outlive `measured`
  CtOptions ct_;
  StageSeconds seconds_;
  std::unique_ptr<ProjectionFilter> filter_;
  LiveFdk* previous_;  ///< null after begin()
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_, filtered_;
  ArrayPtr scaled_;                   ///< scaled copy of the volume, for display while views are missing
  std::int64_t group_;                ///< views that follow each other
  std::vector<std::int64_t> groups_;  ///< first views of the groups, in the order in which they are taken
  std::vector<bool> added_;
  std::int64_t batch_, done_ = 0;
  double step_seconds_ = 0.04;
  std::int64_t views_a_step_ = 1;  ///< views that take about as long as a work item should
  bool at_once_;
  std::function<void()> meanwhile_;
};

}  // namespace backlit::viewer
