// Work of the worker's thread: opens, reconstructs and publishes. One thread, no locks; class Worker passes orders in
// and events out.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "device/gl/gl_backend_class.hpp"
#include "model/display/any_display.hpp"
#include "model/display/display_gate.hpp"
#include "model/engine/list_mode_runs.hpp"
#include "model/engine/live_fdk.hpp"
#include "model/engine/orders.hpp"
#include "model/engine/sinogram_job.hpp"
#include "model/engine/view_jobs.hpp"
#include "model/sources/correction_preview.hpp"
#include "model/sources/source.hpp"
#include "model/values/kept_volumes.hpp"
#include "model/values/point_sampler.hpp"
#include "stream/view_feed.hpp"

namespace backlit {
class DeviceFailure;
}

namespace backlit::viewer {

struct EngineOptions {
  std::shared_ptr<gl::Context> context;  ///< current on this thread
  gl::GlDisplayVolume* display = nullptr;
  DisplayGate* gate = nullptr;
  std::function<void(Event)> emit;
  std::int64_t memory_bytes = 0;
  /// Takes the first waiting order if it is a run that `fits`; waits up to `seconds` for one.
  using TakeRun =
      std::function<std::optional<order::Run>(double seconds, const std::function<bool(const order::Run&)>&)>;
  TakeRun take_run{};
  gl::GlDisplayVolume* pinned = nullptr;  ///< holds the pinned volume A; null: no comparison
  DisplayGate* pinned_gate = nullptr;
  gl::GlDisplayVolume* segment = nullptr;  ///< holds the field of the segment; null: it is not shown in 3-D
  DisplayGate* segment_gate = nullptr;
  double at_once_seconds = 0.1;  ///< a whole run that takes less is done in one step
};

class Engine {
 public:
  explicit Engine(EngineOptions);
  ~Engine();

  /// Executes an order; long orders check `cancel` and throw Cancelled. Throws InputError and Failure; the volume shown
  /// then stays.
  void obey(const Order&, const CancelToken& cancel);
  /// Whether work() has something to do.
  bool busy() const {
    return (run_ && !paused_) || next_ || jobs_.busy() || sinogram_ || preview_asked_ || feed_ || histogram_due_;
  }
  /// Whether the next work() starts a planned run, which precedes all waiting orders.
  bool committed() const { return next_ != nullptr; }
  /// Whether the last work() had nothing to do but a later one may: views are awaited, or a histogram is postponed.
  bool waiting() const { return waiting_ && !next_; }
  /// Whether a postponed histogram is pending.
  bool histogram_pending() const { return histogram_due_.has_value(); }
  /// Ends the run in progress after an error.
  void give_up();
  /// Does one work item of some 20 ms.
  void work(const CancelToken& cancel);

 private:
  using Clock = std::chrono::steady_clock;
  struct RunState;

  void open(const order::Open&, const CancelToken&);
  void watch(const std::string& from);
  void poll_feed(const CancelToken&);
  void take_scan(const ScanFile&);
  void replace_source(Source);
  void start(const order::Run&, const CancelToken&);
  /// Whether the run in progress, or the last one, goes on with the order's parameters (Reconstruction::steer).
  bool steer(const order::Run&);
  void plan_and_begin(const order::Run&, const CancelToken&);
  void begin(std::unique_ptr<RunState>, const CancelToken&);
  void step_or_go_on(const CancelToken&);
  /// For the handler of a DeviceFailure: the run goes on with the backend that its on_failure names, once, from its
  /// last checkpoint if it has one. Throws the failure again where none is named.
  void go_on(order::Run, const DeviceFailure&, const CancelToken&);
  void look_ahead();
  /// The next run is planned anew: the run whose plan it shares may be gone.
  void drop_plan();
  void start_next(const CancelToken&);
  void begin_planned(std::unique_ptr<RunState>, const CancelToken&);
  void control(order::Control);
  void compare(std::int64_t view);
  void find_center(const order::FindCenter&, const CancelToken&);
  void find_faults(const CancelToken&);
  void calibrate(const order::Calibrate&, const CancelToken&);
  /// Corrects the views of a scan that is complete. Throws InputError(where) if it is not.
  void correct_views(const CorrectionOptions&, const std::string& where, const Watch&);
  void pin(const order::Pin&, const CancelToken&);
  void compare_volumes(const order::CompareVolumes&, const CancelToken&);
  void register_pinned(const order::Register&, const CancelToken&);
  void export_pinned(const order::ExportPinned&, const CancelToken&);
  void segment(const order::Segment&, const CancelToken&);
  void show_segment(const order::ShowSegment&, const CancelToken&);
  void thickness(const order::Thickness&, const CancelToken&);
  void denoise(const order::Denoise&, const CancelToken&);
  void sinogram(const order::Sinogram&);
  void work_on_sinogram();
  void preview(const order::Preview&);
  void work_on_preview(const CancelToken&);
  /// Works on what panes asked for. An error there leaves the run alone.
  void work_on_pictures(const CancelToken&);
  void export_volume(const std::string& path, const CancelToken&);
  void export_slice(const order::ExportSlice&);

  /// Calls choose_backend() with the viewer's own backends; stores the reason in the run's report.
  Backend& choose(RunState&, const BackendUse& make);
  /// Changes the session to the options of the run's order.
  void prepare_session(RunState&, const CancelToken&);
  void report(const RunState&);
  Method completed(const Method&, const CancelToken&);
  void prepare(RunState&, const CancelToken&);
  void prepare_list(RunState&, const CancelToken&);
  void show_preview(Backend&, const RunState& next, const CancelToken&);
  std::unique_ptr<Reconstruction> make_live(Backend&, const order::Run&, const FdkOptions&, const Scan&,
                                            const VolumeGrid&, RunState* last);
  bool takes_one_step(const Backend&, const order::Run&, const Scan&, const VolumeGrid&);
  Backend& backend(const std::string& name);
  bool waits_to_show() const;
  void take_over();
  static bool corrected(const RunState&, const ReconProgress&);
  void step_run(const CancelToken&);
  /// Pauses or resumes the run in progress, and says so.
  void set_paused(bool paused);
  void publish(bool final, const CancelToken&);
  void report_progress();
  void end_run(bool complete, bool cancelled);
  void make_histogram(bool final, std::int64_t samples = usual_samples);
  /// Sets the parameters of pictures computed from projections. False if the views must be prepared first.
  bool use_views(const ReconState&, const GeometryState&);
  void use_views_of(const RunState&);
  RunState* shown_run() const { return run_ && !waits_to_show() ? run_.get() : done_.get(); }
  Volume shown_volume();
  /// The same as it was made, without order::Denoise.
  Volume made_volume();
  /// Makes a volume that was computed A; it gets the number `kept`.
  void pin_computed(std::shared_ptr<const Volume>, const std::string& what, std::int64_t kept, const CancelToken&);
  bool may_replace_pinned(const CancelToken&);
  /// A and B; throws InputError where there are no two.
  std::pair<gl::GlDisplayVolume::Front, gl::GlDisplayVolume::Front> both() const;

  EngineOptions options_;
  gl::GlBackend gl_;  ///< for pictures computed from projections
  std::map<std::string, std::unique_ptr<Backend>> backends_;
  AnyDisplay display_;
  std::unique_ptr<PointSampler> sampler_;
  KeptVolumes kept_;
  std::int64_t pinned_kept_ = 0;  ///< number of A; 0: it is from a file, or there is none
  Source source_;
  std::unique_ptr<MeasuredViews> measured_;  ///< the session's views, on the backend of the last live run
  ListModeRuns list_runs_;                   ///< if the source is a list
  std::unique_ptr<RunState> run_;            ///< in progress
  std::unique_ptr<RunState> done_;           ///< the last run, whose volume is shown; also while run_ waits_to_show()
  std::unique_ptr<RunState> next_;           ///< the next run; already planned if that was possible during run_
  std::optional<Volume> denoised_;           ///< shown in place of the volume as it was made
  bool shows_ = false;                       ///< whether a volume of the source has been published
  std::unique_ptr<stream::ViewFeed> feed_;   ///< not null while views are awaited
  std::shared_ptr<ArrivedViews> arrived_;    ///< the views received so far; they are the source's views
  std::string waiting_for_;                  ///< last reported text
  bool paused_ = false, one_step_ = false, waiting_ = false;
  /// Updates (voxels times views) per second of the last live runs, for one backend and precision; 0: not measured.
  struct Pace {
    const Backend* backend = nullptr;
    Precision precision = Precision::fast;
    double whole = 0, in_parts = 0;
    bool warm = false;  ///< a whole run is done; the first one takes longer
  };
  Pace pace_;
  ViewJobs jobs_;
  std::optional<SinogramJob> sinogram_;
  std::optional<order::Preview> preview_asked_;  ///< not yet made
  std::optional<CorrectionPreviewer> previewer_;
  Clock::time_point last_histogram_{};
  std::optional<Clock::time_point> histogram_due_;  ///< time since which the histogram of an ended run is postponed
};

}  // namespace backlit::viewer
