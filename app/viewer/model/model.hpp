// The window's data: the state and its history, the worker, and the worker's results. Use it on the window's thread,
// with its context current.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
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
#include "model/volume_room.hpp"

namespace backlit::viewer {

/// Actions that need a window. Calling one that is not set throws InputError.
struct WindowHooks {
  std::function<void()> quit{}, toggle_help{}, toggle_fullscreen{}, show_commands{};
  std::function<void()> focus_next{};  ///< the next group of panels takes the arrows, Space and Enter
  /// Asks for a path, then runs the action with the path as its last argument. `suggestion`: name of a file to write;
  /// empty: asks for a file to read.
  std::function<void(const Action&, const std::string& suggestion)> ask_path{};
  /// Asks for a folder or an address in the same manner.
  std::function<void(const Action&)> ask_folder{};
  /// Asks how the values of a file lie, and offers to ask where a file is in no format.
  std::function<void(const std::string&file)> show_import{}, offer_import{};
  /// Shows a page of the manual outside of the window.
  std::function<void(const std::filesystem::path&)> open_page{};
  /// Saves a picture of the window, or of the item with `label` if that is not empty.
  std::function<void(const std::string& path, const std::string& label)> screenshot{};
  /// Starts writing pictures of the 3-D view from these cameras, `side` x `side` pixels. cancel_pictures ends it.
  std::function<void(std::vector<Turntable> path, const std::string& pattern, std::int64_t side)> write_pictures{};
  std::function<void()> cancel_pictures{};
  std::function<void(std::int64_t width, std::int64_t height)> resize{};
  /// Whether panes show slices computed directly from projections while a parameter changes.
  std::function<bool()> shows_slices{};
  /// Memory that is free for volumes. Not set: a run is ordered whatever its size.
  std::function<Room()> room{};
  /// Mouse and keys from a script: drag, wheel, move, key, type, click. `input_busy`: some of them are unfinished, or a
  /// screenshot is still to be taken.
  std::function<void(const Action&)> input{};
  std::function<bool()> input_busy{};
  /// Prints what a command asked for.
  std::function<void(const std::string&)> say{};
  /// The text shown under a label such as "probe"; empty if there is none.
  std::function<std::optional<std::string>(const std::string& label)> text_of{};
};

/// The pinned volume A.
struct PinnedVolume {
  VolumeGrid grid;
  std::string label;                 ///< "tooth.h5, fdk"
  bool computed = false;             ///< a map of wall thickness: 0 outside the segment
  std::optional<ViewState> made_by;  ///< its parameters; of a file not known
  std::shared_ptr<const Histogram> histogram;
};

/// What is known of the segment.
struct SegmentFacts {
  SegmentState of;  ///< the segment that was measured
  event::Segmented found;
};

/// What waits for the user's word, since it would throw a long run away.
struct Question {
  Action action{};      ///< to be done then; without a name: a run with the changed parameters
  bool reopen = false;  ///< the change reads the file anew
  ViewState before{};   ///< with `reopen`: the state whose file is open
};

/// Data for panels; update() keeps it up to date.
struct Status {
  std::shared_ptr<const SourceInfo> source;  ///< null: no file is open
  std::string activity;                      ///< stage of work other than a run: "reading projections"
  std::int64_t activity_done = 0, activity_total = 0;
  std::chrono::steady_clock::time_point activity_since{};
  double activity_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - activity_since).count();
  }
  bool running = false, paused = false, opening = false;
  event::Started started;
  std::shared_ptr<const SessionReport> report;  ///< the open scan and its last run; null if none
  ReconProgress progress;
  std::vector<double> residuals;            ///< log-likelihoods for a list
  std::deque<ThroughputSample> throughput;  ///< present or last run, at most 2,000 samples
  event::Finished finished;
  IntervalRates interval_rates;  ///< live FDK only
  double run_seconds = 0;        ///< time of the last complete run
  double first_seconds = NAN;    ///< from the order to open a file to the display of its first volume; NaN until then
  std::int64_t runs = 0;         ///< runs ended since the program's start, complete or not
  StageSeconds stages;           ///< sums over all complete runs since the program's start; see event::Finished
  std::int64_t generation = 0;   ///< number of the volume shown; 0: none
  VolumeGrid grid;               ///< grid of the volume shown
  double denoised = 0;           ///< how far its noise was smoothed, see DisplayState::denoise
  std::shared_ptr<const Histogram> histogram;
  std::shared_ptr<const ViewComparison> comparison;
  std::shared_ptr<const JobPicture> oblique, d2vr;
  std::shared_ptr<const std::vector<JobPicture>> slices;  ///< see Model::request_slices()
  std::optional<PinnedVolume> pinned;
  std::optional<event::VolumesCompared> compared;  ///< with it; of a generation of the volume shown
  std::string registration_note;                   ///< how well A was laid on B; empty: it was not
  std::optional<SegmentFacts> segment;             ///< as it was measured last
  std::int64_t segment_shown = 0;                  ///< generation whose segment the 3-D view can show; 0: none
  std::optional<event::ThicknessFound> thickness;  ///< of the segment, as it was measured last
  std::shared_ptr<const SinogramRow> sinogram;
  std::shared_ptr<const CorrectionPreview> correction_preview;
  std::vector<std::shared_ptr<const JobPicture>> candidates;  ///< see Model::request_candidates(); null: not yet made
  bool calibrating = false;
  std::shared_ptr<const Calibration> calibration;  ///< of the open scan; null: none was made
  GeometryState calibrated_from;                   ///< the state's geometry when it was made
  std::string center_note;                         ///< what was found of the rotation axis; empty: nothing
  std::optional<ChosenCorrections> faults;         ///< looked for in the open scan, and what takes them away
  bool faults_awaited = false;                     ///< they are still to be looked for
  std::string method_note;                         ///< why it is not the usual method; empty: it is, or was chosen
  double center_before = 0;                        ///< center_shift that undoes it
  std::string exported;                            ///< path of what was written last
  std::int64_t pictures_written = 0, pictures_wanted = 0;  ///< of a sequence that is being written; else 0
  std::optional<Question> question;
  bool preview = false;             ///< the volume shown is a first, quick one
  std::string asks_to_listen;       ///< address that a session named: nobody listens there before the user says so
  std::vector<std::string> errors;  ///< the newest last, at most 50; dismiss_errors() forgets them
  std::int64_t reports = 0;         ///< errors that were ever reported, with those that errors leaves out
};

struct ModelOptions {
  ContextFactory make_context;
  std::function<void()> wake{};
  std::int64_t memory_bytes = 0;
  std::filesystem::path recent_file = config_folder() / "recent.txt";
  double debounce = 0.15;  ///< seconds without a change before a slow run in progress restarts
};

class PointSampler;

class Model {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Model(ModelOptions);
  ~Model();

  const ViewState& state() const { return history_.now(); }
  const Status& status() const { return status_; }
  /// Whether a list of PET events is open.
  bool list_mode() const { return status_.source && status_.source->list; }
  const History& history() const { return history_; }
  const std::vector<std::string>& recent() const { return recent_.files(); }
  void add_recent(const std::string& file) { recent_.add(file); }
  /// The folder or socket of the last watch; empty: none.
  const std::string& last_watched() const { return last_watched_; }

  /// Runs a user action. Throws InputError if it is not possible; the state is then unchanged.
  void apply(const Action&);
  /// Runs apply(); an error is added to status().errors, and the result is false.
  bool try_apply(const Action&);
  /// Sets the state to `next` with undo step `name`: for panels that edit a copy. Throws InputError for invalid values.
  void edit(ViewState next, const std::string& name);
  /// hold(): a mouse button is down, so changes of one name join one undo step. end_drag(): the button is up.
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

  // For actions.
  /// Opens it again if it is open. `pixel`, `slices`: see open_source().
  void open(const std::string& path, double pixel = 0, double slices = 0);
  void watch(const std::string& from);  ///< folder or socket; opens it again if it is open; empty: stops watching
  void restore(ViewState);              ///< the state of a saved session
  void prefer(const Preferences&);      ///< without an undo step
  void reconstruct() { send_run(true); }
  void control(order::Control);
  /// A run that has taken longer is not thrown away unasked; 0: it is.
  void ask_after(double seconds) { ask_after_ = seconds; }
  /// Whether the run in progress has taken so long.
  bool is_long_run() const;
  double running_seconds() const { return std::chrono::duration<double>(Clock::now() - run_since_).count(); }
  /// Does what a question asks about, or keeps the run. Throws InputError where there is no question.
  void answer(bool yes);
  /// Whether slices or cameras are being played.
  bool playing() const { return state().layout.play != "off" && status_.generation > 0; }
  void set_window(double low, double high);
  void pin();
  void pin_file(const std::string&);  ///< a volume from a file is A; again, too
  void unpin();
  void measure_segment(const std::string& surface = "");  ///< see order::Segment
  void measure_thickness();                               ///< see order::Thickness; A then is the map
  /// The values that belong to the segment; the second is infinite where there is no upper end.
  std::array<double, 2> segment_range() const;
  /// How A and B are shown now: "off" while there is nothing to compare with.
  const std::string& compared_by() const;
  /// Why a reconstruction on this grid does not begin by itself: there is too little memory. Empty: it does.
  std::string too_large(const GridState&) const;
  /// Whether values can be given in Hounsfield units, that is, they are attenuations in 1/mm.
  bool knows_hu() const;
  /// Unit of the volume's values: 1/mm, 1/px, kBq/ml; empty where it is unknown.
  const char* value_unit() const;
  /// The standardized uptake value of a value 1 of a PET image; NaN where weight or dose are unknown, or values are not
  /// absolute.
  double suv() const;

  /// Call it once a frame: takes the worker's events, and orders a run once changes have settled.
  void update();
  /// Whether nothing runs, is awaited, is about to begin, or is being written.
  bool idle() const;

  /// The volume shown; it is not changed until end_frame(). Call that after the last draw call that reads it.
  gl::GlDisplayVolume::Front begin_frame();
  void end_frame();
  /// The pinned volume during a frame.
  const gl::GlDisplayVolume::Front& pinned_front() const { return pinned_front_; }
  /// The field of the segment during a frame.
  const gl::GlDisplayVolume::Front& segment_front() const { return segment_front_; }
  /// Call it when the frame is on the screen.
  void frame_seen();
  /// Call its begin() and end() around drawing.
  FramesFirst& frames_first() { return worker_.frames_first(); }

  /// Values of the volume shown at points in mm, trilinear; NaN outside. May be called during a frame or between
  /// frames. Waits for the device.
  std::vector<float> values_at(std::span<const Vec3> points);
  float value_at(const Vec3& point) { return values_at({&point, 1}).front(); }
  /// The same of A, where it lies turned and moved; NaN without one.
  std::vector<float> pinned_values_at(std::span<const Vec3> points);

  /// Whether the volume shown has other parameters than the state.
  bool stale() const { return stale_; }
  /// Whether slices with the present parameters can be computed directly from the projections, before the volume is
  /// ready.
  bool can_preview() const;
  /// Whether the slices requested last are ready and have the present parameters.
  bool previewed() const;
  /// Number of parameter changes that affect the reconstruction.
  std::int64_t parameters() const { return parameters_; }

  /// The latest request replaces earlier ones. The result comes in status() with the returned serial.
  std::uint64_t request_slices(std::vector<CutPlane>);
  /// Slices of one plane under several geometries; they come one by one.
  void request_candidates(const CutPlane&, std::vector<GeometryState>);
  /// Finds the geometry. The result comes in status(), and changes nothing.
  void calibrate();
  void cancel_calibration();  ///< a run goes on
  void request_sinogram(std::int64_t row) { worker_.give(order::Sinogram{row}); }
  /// A part of the scan before and after these corrections: one detector row of all views, or one view.
  void request_preview(const CorrectionOptions& corrections, bool sinogram, std::int64_t number) {
    worker_.give(order::Preview{corrections, sinogram, number});
  }
  std::uint64_t request_oblique(const CutPlane&);
  std::uint64_t request_d2vr(const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  void request_comparison(std::int64_t view);

  Worker& worker() { return worker_; }
  WindowHooks hooks;

 private:
  friend struct EventTaker;
  void changed(const ViewState& before);
  void keep_open(const ViewState& before);
  void open_now(const std::string& path);
  void ask_to_reopen(const ViewState& before);
  void watch_now(const std::string& from);
  void opened();
  void want_run();
  /// Whether the run in progress, or the last one, goes on with the present parameters.
  bool steers() const;
  /// `anew`: from the start, also where the run could go on.
  void send_run(bool anew = false);
  /// The first run of what was opened, unless its volume is too large.
  void run_if_it_fits();
  void play();
  void play_slices(double seconds);
  void play_cameras(double seconds);
  void choose_window(bool final);
  void choose_map();
  void cut_example_head();
  void choose_method();
  /// The volume has another grid: slices that would lie outside it go through its middle.
  void pinned_changed(const ViewState& before);
  void order_pinned();
  void take_pinned(const event::Pinned&);
  void forget_pinned();
  void look_into(const VolumeGrid&);
  /// The first picture of what was opened: crosshair, slices and camera go to its object where that is small.
  void look_at_object();
  /// Once a file is opened: decides whether faults are looked for in it.
  void await_faults();
  /// After its first volume: looks for them. Those found are corrected.
  void look_for_faults();
  /// Takes back what belongs to the open file alone, before another is opened.
  void leave_file(ViewState&) const;
  void use_faults(const event::FaultsFound&);
  void use_center(const event::CenterFound&);
  void take_candidate(const event::CandidateMade&);
  void take_thickness(const event::ThicknessFound&);
  /// Orders the segment for the 3-D view where it has changed, once changes have settled.
  void keep_segment_shown();
  /// Orders the smoothing of noise that the state asks for, once changes have settled.
  void keep_denoised();
  bool denoise_due() const;
  void volume_is_of(std::uint64_t serial);
  std::string volume_label(const ViewState& made_by) const;

  ModelOptions options_;
  History history_;
  Status status_;
  RecentFiles recent_;
  std::string last_watched_;
  Worker worker_;
  std::unique_ptr<PointSampler> sampler_;
  gl::GlDisplayVolume::Front front_, pinned_front_, segment_front_;  ///< volumes of the frame being drawn
  bool drawing_ = false;
  bool run_wanted_ = false;
  double ask_after_ = 0;                  ///< s
  bool keeps_run_ = false;                ///< the user wants the run in progress to end before another begins
  bool answering_ = false;                ///< the present action was agreed to
  Clock::time_point run_since_{};         ///< when the run in progress was ordered
  Clock::time_point played_{};            ///< when the last slice was turned to, or the camera began
  std::optional<Turntable> film_camera_;  ///< where the camera goes back to
  Clock::time_point wanted_since_{};
  std::optional<Clock::time_point> open_since_;  ///< time of opening a file whose first volume has not been shown yet
  std::int64_t generation_before_ = 0;           ///< generation of the volume shown when the file was opened
  std::uint64_t serial_ = 0;
  std::deque<std::pair<std::uint64_t, ViewState>> ordered_;  ///< serials and states of the last runs ordered
  std::optional<ViewState> shown_;                           ///< state with which the volume shown was made
  bool stale_ = false;
  bool map_inverted_ = false;      ///< by choose_map()
  bool method_from_scan_ = false;  ///< by choose_method()
  std::int64_t parameters_ = 0;
  std::uint64_t slices_serial_ = 0;            ///< of the slices asked for last
  std::int64_t slices_parameters_ = 0;         ///< parameters() then
  bool restored_ = false;                      ///< what is being opened is of a session: its centre was chosen
  std::uint64_t published_ = 0;                ///< serial of the run that the volume shown is from
  std::int64_t last_kept_ = 0;                 ///< number of the last A without a file
  std::map<std::int64_t, PinnedVolume> kept_;  ///< what is known of them
  SegmentState segment_asked_;                 ///< to be measured
  SegmentState segment_ordered_;               ///< for the 3-D view, of the generation that follows
  std::int64_t segment_generation_ = 0;
  Clock::time_point segment_changed_{};
  Clock::time_point denoise_changed_{};                    ///< the last time that its strength or the volume changed
  std::pair<std::int64_t, double> denoise_ordered_{0, 0};  ///< generation and strength
  std::uint64_t candidates_serial_ = 0;                    ///< of the pictures in status().candidates
  bool faults_due_ = false;                                ///< to be looked for after the next run
  bool look_chosen_ = false;    ///< where one looks: by the user, a session, or the first finished volume
  bool window_chosen_ = false;  ///< by the user, a session, or the first finished volume
};

}  // namespace backlit::viewer
