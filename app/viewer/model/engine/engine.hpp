// What the worker's thread does: opens, reconstructs and publishes. One thread, no locks; the Worker around it brings
// orders in and events out.
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
#include "model/engine/view_jobs.hpp"
#include "model/sources/source.hpp"
#include "stream/view_feed.hpp"

namespace backlit::viewer {

class PointSampler;

struct EngineOptions {
  std::shared_ptr<gl::Context> context;  ///< current on this thread
  gl::GlDisplayVolume* display = nullptr;
  DisplayGate* gate = nullptr;
  std::function<void(Event)> emit;
  std::int64_t memory_bytes = 0;
  /// Takes the order that comes next where it is a run that `fits`; waits for an order for so long.
  using TakeRun =
      std::function<std::optional<order::Run>(double seconds, const std::function<bool(const order::Run&)>&)>;
  TakeRun take_run{};
  gl::GlDisplayVolume* pinned = nullptr;  ///< where A is kept; null: nowhere
  DisplayGate* pinned_gate = nullptr;
};

class Engine {
 public:
  explicit Engine(EngineOptions);
  ~Engine();

  /// Carries out an order; long ones look at `cancel` and throw Cancelled. Throws InputError and Failure: what was
  /// shown before stays.
  void obey(const Order&, const CancelToken& cancel);
  /// Whether work() has something to do.
  bool busy() const { return (run_ && !paused_) || next_ || jobs_.busy() || feed_ || histogram_due_; }
  /// Whether the next work() does what was ordered before all that waits now.
  bool committed() const { return next_ != nullptr; }
  /// Whether the last work() found nothing to do, but may the next time: views are awaited, or a histogram is put off.
  bool waiting() const { return waiting_ && !next_; }
  /// Whether what is put off belongs to what has been ordered.
  bool owes() const { return histogram_due_.has_value(); }
  /// After an error: what was in progress is no more.
  void give_up();
  /// One work item, some 20 ms.
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
  void begin(std::unique_ptr<RunState>, const CancelToken&);
  void look_ahead();
  void start_next(const CancelToken&);
  void control(order::Control);
  void compare(std::int64_t view);
  void find_center(const order::FindCenter&, const CancelToken&);
  void pin(const order::Pin&, const CancelToken&);
  void compare_volumes(const order::CompareVolumes&, const CancelToken&);
  void register_pinned(const order::Register&, const CancelToken&);
  void export_pinned(const order::ExportPinned&, const CancelToken&);
  void segment(const order::Segment&, const CancelToken&);
  void export_volume(const std::string& path, const CancelToken&);
  void export_slice(const order::ExportSlice&);

  /// choose_backend() among the viewer's own; the run's report gets the reason.
  Backend& choose(RunState&, const BackendUse& make);
  /// Makes the session what an order asks for.
  void prepare_session(RunState&, const CancelToken&);
  void report(const RunState&);
  void prepare(RunState&, const CancelToken&);
  void prepare_list(RunState&, const CancelToken&);
  std::unique_ptr<Reconstruction> make_live(Backend&, const order::Run&, const FdkOptions&, const Scan&,
                                            const VolumeGrid&, RunState* last);
  bool takes_one_step(const Backend&, const order::Run&, const Scan&, const VolumeGrid&);
  Backend& backend(const std::string& name);
  bool waits_to_show() const;
  void take_over();
  static bool corrected(const RunState&, const ReconProgress&);
  void step_run(const CancelToken&);
  void publish(bool final, const CancelToken&);
  void tell_progress();
  void end_run(bool complete, bool cancelled);
  void make_histogram(bool final, std::int64_t samples = std::int64_t{1} << 18);
  /// Pictures from projections are made with these parameters from now on; false where that has to wait.
  bool use_views(const ReconState&, const GeometryState&);
  void use_views_of(const RunState&);
  RunState* shown_run() const { return run_ && !waits_to_show() ? run_.get() : done_.get(); }
  Volume shown_volume();
  /// A and B; throws InputError where there are no two.
  std::pair<gl::GlDisplayVolume::Front, gl::GlDisplayVolume::Front> both() const;

  EngineOptions options_;
  gl::GlBackend gl_;  ///< for the display's side
  std::map<std::string, std::unique_ptr<Backend>> backends_;
  AnyDisplay display_;
  std::unique_ptr<PointSampler> sampler_;
  Source source_;
  std::unique_ptr<MeasuredViews> measured_;  ///< of the session, on the backend of the last live run
  ListModeRuns list_runs_;                   ///< of the source, where it is a list
  std::unique_ptr<RunState> run_;            ///< in progress
  std::unique_ptr<RunState> done_;           ///< the last one, whose volume is shown; also while run_ waits_to_show()
  std::unique_ptr<RunState> next_;           ///< ordered, and planned where that could be done beside run_
  bool shows_ = false;                       ///< something of the source has been published
  std::unique_ptr<stream::ViewFeed> feed_;   ///< while views are awaited
  std::shared_ptr<ArrivedViews> arrived_;    ///< what it has brought; the source's views
  std::string waiting_for_;                  ///< told last
  bool paused_ = false, one_step_ = false, waiting_ = false;
  /// Voxels times views a second of the last live runs on a backend at a precision; 0 where there was none.
  struct Pace {
    const Backend* backend = nullptr;
    Precision precision = Precision::fast;
    double whole = 0, in_parts = 0;
    bool warm = false;  ///< a whole run has been done; the first takes longer
  };
  Pace pace_;
  ViewJobs jobs_;
  Clock::time_point last_histogram_{};
  std::optional<Clock::time_point> histogram_due_;  ///< since when; of the volume shown, whose run is over
};

}  // namespace backlit::viewer
