// What the window holds: the state and its history, the worker, and what the worker said. Everything here is for the
// window's thread, with its context current.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/actions/actions.hpp"
#include "model/actions/history.hpp"
#include "model/engine/worker.hpp"
#include "model/preferences.hpp"
#include "model/state_file.hpp"

namespace backlit::viewer {

/// Actions that only a window can do. One that is not set throws InputError when asked for.
struct WindowHooks {
  std::function<void()> quit{}, toggle_help{}, toggle_fullscreen{}, show_commands{};
  /// Asks for a path, then does the action with it as its last argument. `suggestion`: a name to write to; empty: a
  /// file to read.
  std::function<void(const Action&, const std::string& suggestion)> ask_path{};
  /// Asks for a folder or an address in the same way.
  std::function<void(const Action&)> ask_folder{};
  /// Of the window; of the item of that label alone where there is one.
  std::function<void(const std::string& path, const std::string& label)> screenshot{};
  /// Begins to write the 3-D view by these cameras, `side` pixels wide and high, as files; and ends that.
  std::function<void(std::vector<Turntable> path, const std::string& pattern, std::int64_t side)> write_pictures{};
  std::function<void()> cancel_pictures{};
  std::function<void(std::int64_t width, std::int64_t height)> resize{};
  /// Whether panes show slices that come straight from projections while a parameter moves.
  std::function<bool()> shows_slices{};
  /// Mouse and keys moved by a script: drag, wheel, move, key, type, click. `hands_busy`: they have not come to an end,
  /// or a screenshot is still to be taken.
  std::function<void(const Action&)> hands{};
  std::function<bool()> hands_busy{};
  /// The words that are shown under a label, such as "probe"; nothing where there are none.
  std::function<std::optional<std::string>(const std::string& label)> text_of{};
};

/// The volume kept as A.
struct PinnedVolume {
  VolumeGrid grid;
  std::string label;                 ///< "tooth.h5, fdk"
  std::optional<ViewState> made_by;  ///< its parameters; of a file not known
  std::shared_ptr<const Histogram> histogram;
};

/// What is known of the segment.
struct SegmentFacts {
  SegmentState of;  ///< the segment that was measured
  event::Segmented found;
};

/// What panels show; brought up to date by update().
struct Status {
  std::shared_ptr<const SourceInfo> source;  ///< null: nothing is open
  std::string activity;                      ///< what else takes time: "reading projections"
  std::int64_t activity_done = 0, activity_total = 0;
  std::chrono::steady_clock::time_point activity_since{};
  double activity_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - activity_since).count();
  }
  bool running = false, paused = false, opening = false;
  event::Started started;
  std::shared_ptr<const SessionReport> report;  ///< of the scan that is open and of its last run; null without one
  ReconProgress progress;
  std::vector<double> residuals;            ///< of a list's run log-likelihoods
  std::deque<ThroughputSample> throughput;  ///< of the present or last run, at most 2,000
  event::Finished finished;
  IntervalRates interval_rates;  ///< of live FDK
  double run_seconds = 0;        ///< of the last complete run
  double first_seconds = NAN;    ///< from the order to open a file until its first volume was seen; NaN until then
  std::int64_t runs = 0;         ///< finished since the start, complete or not
  StageSeconds stages;           ///< of all complete runs since the start, added up; see event::Finished
  std::int64_t generation = 0;   ///< of the volume shown; 0: none
  VolumeGrid grid;               ///< of it
  std::shared_ptr<const Histogram> histogram;
  std::shared_ptr<const ViewComparison> comparison;
  std::shared_ptr<const JobPicture> oblique, d2vr;
  std::shared_ptr<const std::vector<JobPicture>> slices;  ///< see Model::request_slices()
  std::optional<PinnedVolume> pinned;
  std::optional<event::VolumesCompared> compared;          ///< with it; of a generation of the volume shown
  std::string registration_note;                           ///< how well A was laid on B; empty: it was not
  std::optional<SegmentFacts> segment;                     ///< as it was measured last
  std::string center_note;                                 ///< what was found of the rotation axis; empty: nothing
  double center_before = 0;                                ///< center_shift that undoes it
  std::string exported;                                    ///< path of what was written last
  std::int64_t pictures_written = 0, pictures_wanted = 0;  ///< of a sequence that is being written; else 0
  std::string asks_to_listen;       ///< address that a session named: nobody listens there before the user says so
  std::vector<std::string> errors;  ///< the newest last, at most 50; dismiss_errors() forgets them
};

struct ModelOptions {
  ContextFactory make_context;
  std::function<void()> wake{};
  std::int64_t memory_bytes = 0;
  std::filesystem::path recent_file = config_folder() / "recent.txt";
  double debounce = 0.15;  ///< seconds without a change before a slow reconstruction under way begins again
};

class PointSampler;

class Model {
 public:
  explicit Model(ModelOptions);
  ~Model();

  const ViewState& state() const { return history_.now(); }
  const Status& status() const { return status_; }
  /// Whether what is open is a list of PET events.
  bool list_mode() const { return status_.source && status_.source->list; }
  const History& history() const { return history_; }
  const std::vector<std::string>& recent() const { return recent_.files(); }
  /// The folder or socket watched last; empty: none.
  const std::string& last_watched() const { return last_watched_; }

  /// Does what a user asked for. Throws InputError when it cannot be; the state is then as it was.
  void apply(const Action&);
  /// apply() whose errors become a line of status().errors.
  bool try_apply(const Action&);
  /// For panels that edit a copy: the state is `next` from now on, by a step called `name`. Throws InputError for
  /// values that cannot be used.
  void edit(ViewState next, const std::string& name);
  /// The mouse is up: later changes of the same name are a step of their own.
  void hold() { history_.hold(); }
  void end_drag() { history_.end_drag(); }
  bool undo();
  bool redo();
  void dismiss_errors() { status_.errors.clear(); }
  void report(const std::string& error);
  void exported(const std::string& path) { status_.exported = path; }
  void writing(std::int64_t done, std::int64_t total) {
    status_.pictures_written = done;
    status_.pictures_wanted = total;
  }

  // What actions are made of.
  void open(const std::string& path);   ///< again, too
  void watch(const std::string& from);  ///< a folder or socket, again, too; empty: no longer
  void restore(ViewState);              ///< of a saved session
  void prefer(const Preferences&);      ///< without a step of undo
  void reconstruct() { send_run(); }
  void control(order::Control);
  void set_window(double low, double high);
  void pin();
  void pin_file(const std::string&);  ///< a volume from a file is A; again, too
  void unpin();
  void measure_segment(const std::string& surface = "");  ///< see order::Segment
  /// The values that belong to the segment; the second is infinite where there is no upper end.
  std::array<double, 2> segment_range() const;
  /// How A and B are shown now: "off" while there is nothing to compare with.
  const std::string& compared_by() const;
  /// Whether values have Hounsfield units: attenuations in 1/mm, as far as can be known.
  bool knows_hu() const;

  /// Once a frame: takes what the worker said, and tells it of changes once they have settled.
  void update();
  /// Whether nothing runs, is waited for, is about to begin, or is being written.
  bool idle() const;

  /// What is shown; stays as it is until end_frame(), which goes after the last draw call that reads it.
  gl::GlDisplayVolume::Front begin_frame();
  void end_frame();
  /// The pinned volume, in a frame.
  const gl::GlDisplayVolume::Front& pinned_front() const { return pinned_front_; }
  /// The frame is on the screen.
  void frame_seen();
  /// While the window draws.
  FramesFirst& frames_first() { return worker_.frames_first(); }

  /// Values of the volume shown at points in mm, trilinear; NaN outside. Inside a frame or between two. Waits for the
  /// device.
  std::vector<float> values_at(std::span<const Vec3> points);
  float value_at(const Vec3& point) { return values_at({&point, 1}).front(); }
  /// The same of A, where it lies turned and moved; NaN without one.
  std::vector<float> pinned_values_at(std::span<const Vec3> points);

  /// Whether the volume shown was made with other parameters than those set now.
  bool stale() const { return stale_; }
  /// Whether slices by the parameters set now can come straight from the projections, long before the volume does.
  bool can_preview() const;
  /// Whether those that were asked for last are there, by the parameters set now.
  bool previewed() const;
  /// Counts changes of what a reconstruction depends on.
  std::int64_t parameters() const { return parameters_; }

  /// Latest wins; the answers come in status(), with the serial returned.
  std::uint64_t request_slices(std::vector<CutPlane>);
  std::uint64_t request_oblique(const CutPlane&);
  std::uint64_t request_d2vr(const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  void request_comparison(std::int64_t view);

  Worker& worker() { return worker_; }
  WindowHooks hooks;

 private:
  using Clock = std::chrono::steady_clock;
  friend struct EventTaker;
  void changed(const ViewState& before);
  void open_now(const std::string& path);
  void watch_now(const std::string& from);
  void opened();
  void want_run();
  void send_run();
  void choose_window(bool final);
  /// The volume has another grid: slices that would lie outside it go through its middle.
  void load_pinned();
  void forget_pinned_file();
  void look_into(const VolumeGrid&);
  /// The first picture of what was opened: crosshair, slices and camera go to its object where that is small.
  void look_at_object();
  void use_center(const event::CenterFound&);
  void volume_is_of(std::uint64_t serial);
  std::string volume_label(const ViewState& made_by) const;

  ModelOptions options_;
  History history_;
  Status status_;
  RecentFiles recent_;
  std::string last_watched_;
  Worker worker_;
  std::unique_ptr<PointSampler> sampler_;
  gl::GlDisplayVolume::Front front_, pinned_front_;  ///< of the frame being drawn
  bool drawing_ = false;
  bool run_wanted_ = false;
  Clock::time_point wanted_since_{};
  std::optional<Clock::time_point> open_since_;  ///< a file of which no volume was seen yet
  std::int64_t generation_before_ = 0;           ///< of the volume shown when the present file was opened
  std::uint64_t serial_ = 0;
  std::deque<std::pair<std::uint64_t, ViewState>> ordered_;  ///< what the last runs were ordered with
  std::optional<ViewState> shown_;                           ///< what the volume shown was made with
  bool stale_ = false;
  std::int64_t parameters_ = 0;
  std::uint64_t slices_serial_ = 0;     ///< of the slices asked for last
  std::int64_t slices_parameters_ = 0;  ///< parameters() then
  bool restored_ = false;               ///< what is being opened is of a session: its centre was chosen
  std::uint64_t published_ = 0;         ///< serial of the run that the volume shown is from
  SegmentState segment_asked_;          ///< to be measured
  bool look_chosen_ = false;            ///< where one looks: by the user, a session, or the first finished volume
  bool window_chosen_ = false;          ///< by the user, a session, or the first finished volume
};

}  // namespace backlit::viewer
