#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include "model/values/point_sampler.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

constexpr std::size_t most_samples = 2000, most_errors = 50, most_ordered = 16;

}  // namespace

/// Updates a model with one event.
struct EventTaker {
  Model& m;
  Status& s = m.status_;

  void operator()(const event::Opened& e) const {
    s.source = e.source;
    s.report.reset();
    m.generation_before_ = s.generation;
    m.shown_.reset();
    m.ordered_.clear();
    s.slices.reset();
    s.opening = s.running = s.paused = false;  // opening cancelled the work in progress
    s.interval_rates = {};
    s.comparison.reset();
    s.oblique.reset();
    s.d2vr.reset();
    s.sinogram.reset();
    s.correction_preview.reset();
    s.candidates.clear();
    s.calibration.reset();
    s.calibrating = false;
    s.thickness.reset();
    s.segment_shown = 0;
    m.opened();
    if (!s.pinned) m.order_pinned();  // opening dropped what was ordered before
  }
  void operator()(const event::Activity& e) const {
    if (s.activity != e.text) s.activity_since = std::chrono::steady_clock::now();
    s.activity = e.text;
    s.activity_done = e.done;
    s.activity_total = e.total;
  }
  void operator()(const event::Started& e) const {
    s.started = e;
    s.running = true;
    s.paused = false;
    if (!e.whole) s.progress = {};
    s.throughput.clear();
    s.residuals.clear();
  }
  void operator()(const event::Steered& e) const {
    s.started.iterations = e.iterations;
    s.running = true;
  }
  void operator()(const event::Paused& e) const { s.paused = e.paused && s.running; }
  void operator()(const event::Reported& e) const { s.report = e.report; }
  void operator()(const event::Progress& e) const {
    s.progress = e.at;
    s.throughput.push_back(e.throughput);
    if (s.throughput.size() > most_samples) s.throughput.pop_front();
  }
  void operator()(const event::Residuals& e) const { s.residuals = e.values; }
  void operator()(const event::Published& e) const {
    s.generation = e.generation;
    s.preview = e.preview;
    s.denoised = e.denoised;
    m.denoise_changed_ = std::chrono::steady_clock::now();
    if (!(std::exchange(s.grid, e.grid) == e.grid)) m.look_into(e.grid);
    m.published_ = e.serial;
    if (e.final || !m.state().recon.method.get<FdkOptions>()) m.volume_is_of(e.serial);
  }
  void operator()(const event::HistogramMade& e) const {
    s.histogram = e.histogram;
    m.choose_window(e.final);
    if (e.final && !m.look_chosen_) m.look_at_object();
  }
  void operator()(const event::Compared& e) const { s.comparison = e.comparison; }
  void operator()(const event::CenterFound& e) const { m.use_center(e); }
  void operator()(const event::FaultsFound& e) const { m.use_faults(e); }
  void operator()(const event::Pinned& e) const { m.take_pinned(e); }
  void operator()(const event::Registered& e) const {
    ViewState next = m.state();
    next.pinned.move = e.move;
    next.pinned.turn = e.turn;
    m.edit(std::move(next), "register");
    s.registration_note = fmt::format("Mutual information {:.3f}; it was {:.3f}", e.information, e.before);
  }
  void operator()(const event::Segmented& e) const { s.segment = SegmentFacts{m.segment_asked_, e}; }
  void operator()(const event::SegmentShown& e) const { s.segment_shown = e.generation; }
  void operator()(const event::ThicknessFound& e) const { m.take_thickness(e); }
  void operator()(const event::SinogramMade& e) const { s.sinogram = e.sinogram; }
  void operator()(const event::Previewed& e) const { s.correction_preview = e.preview; }
  void operator()(const event::Calibrated& e) const {
    s.calibrating = false;
    if (!e.found) return;
    s.calibration = e.found;
    s.calibrated_from = m.state().geometry;
  }
  void operator()(const event::CandidateMade& e) const { m.take_candidate(e); }
  void operator()(const event::VolumesCompared& e) const { s.compared = e; }
  void operator()(const event::SlicesMade& e) const { s.slices = e.pictures; }
  void operator()(const event::ObliqueMade& e) const { s.oblique = e.picture; }
  void operator()(const event::D2vrMade& e) const { s.d2vr = e.picture; }
  void operator()(const event::Exported& e) const { s.exported = e.path; }
  void operator()(const event::Warned& e) const { m.report(e.message); }
  void operator()(const event::Failed& e) const {
    if (s.opening) {
      m.open_since_.reset();
      if (!s.pinned) m.order_pinned();
    }
    s.opening = s.running = s.paused = s.calibrating = m.keeps_run_ = false;
    s.question.reset();
    s.activity.clear();
    m.report(e.message);
  }
  /// All settings, except the interval, that determine the rate of a run.
  std::string setting(const event::Finished& e) const {
    const Size3 n = s.started.grid.size;
    return fmt::format("{} {} {} {}x{}x{} {}", s.started.backend, s.started.device, s.started.variant, n[0], n[1], n[2],
                       e.lockstep);
  }
  void operator()(const event::Finished& e) const {
    m.keeps_run_ = false;
    s.question.reset();
    const bool ran = s.running;
    s.opening = s.running = s.paused = false;
    if (e.cancelled) s.calibrating = false;
    if (!ran) return;  // another order was cancelled
    ++s.runs;
    s.finished = e;
    if (e.serial == m.published_) m.volume_is_of(e.serial);
    if (!e.complete) return;
    s.run_seconds = e.seconds;
    m.look_for_faults();
    if (e.rate) s.interval_rates.add(setting(e), *e.rate);
    for (const auto& [stage, seconds] : e.stages) s.stages[stage] += seconds;
  }
};

Model::Model(ModelOptions options)
    : options_(std::move(options)),
      recent_(options_.recent_file),
      worker_({options_.make_context, options_.wake, options_.memory_bytes}) {}

Model::~Model() = default;

void Model::apply(const Action& action) {
  const ActionInfo& info = action_info(action.name);
  const std::size_t n = action.arguments.size();
  if (n < info.least || n > info.most)
    throw InputError(action.name, "wrong number of arguments", "write: " + info.name + " " + info.arguments);
  const bool asks = info.ends_run && is_long_run() && !answering_ && (n > 0 || info.most == 0);
  if (asks) {
    status_.question = Question{action};
    return;
  }
  info.run(*this, action);
}

bool Model::try_apply(const Action& action) {
  try {
    apply(action);
    return true;
  } catch (const Error& error) {
    report(error.what());
    return false;
  }
}

void Model::report(const std::string& error) {
  ++status_.reports;
  if (!status_.errors.empty() && status_.errors.back() == error) return;
  status_.errors.push_back(error);
  if (status_.errors.size() > most_errors) status_.errors.erase(status_.errors.begin());
}

void Model::edit(ViewState next, const std::string& name) {
  check(next);
  if (film_camera_ && next.camera == state().camera) next.camera = *film_camera_;  // the film's is no edit
  const ViewState before = state();
  if (next.display.low != before.display.low || next.display.high != before.display.high) window_chosen_ = true;
  if (next.crosshair != before.crosshair || !(next.camera == before.camera) ||
      next.layout.slice_zoom != before.layout.slice_zoom || next.layout.slice_pan != before.layout.slice_pan)
    look_chosen_ = true;
  history_.edit(std::move(next), name);
  changed(before);
}

void Model::changed(const ViewState& before) {
  const ViewState& now = state();
  if (now.recon.method.name() != before.recon.method.name()) {
    method_from_scan_ = false;
    status_.method_note.clear();
  }
  if (!(now.segment == before.segment)) segment_changed_ = Clock::now();
  if (now.display.denoise != before.display.denoise) denoise_changed_ = Clock::now();
  if (!same_pinned(now.pinned, before.pinned)) pinned_changed(before);
  const bool watch = now.watch != before.watch;
  const bool read_anew = (!same_list(now.pet, before.pet) && is_list_mode(now.path)) || now.pixel != before.pixel ||
                         now.slices != before.slices;
  if ((now.path != before.path && !now.path.empty()) || read_anew) {
    run_wanted_ = false;
    if (is_long_run() && !answering_) return ask_to_reopen(before);
    if (watch) watch_now(now.watch);
    return open_now(now.path);
  }
  if (watch) watch_now(now.watch);
  if (same_reconstruction(before, now)) return;
  ++parameters_;
  stale_ = shown_ && !same_reconstruction(*shown_, now);
  if (now.recon.follow) want_run();
}

/// Notes the parameters of the volume shown, by the serial of its run.
void Model::volume_is_of(std::uint64_t serial) {
  const auto found = std::ranges::find(ordered_, serial, &std::pair<std::uint64_t, ViewState>::first);
  if (found == ordered_.end()) return;
  shown_ = found->second;
  stale_ = !same_reconstruction(*shown_, state());
  if (!stale_) status_.slices.reset();  // the volume has replaced them
}

bool Model::previewed() const {
  const auto& made = status_.slices;
  return can_preview() && made && !made->empty() && made->front().serial == slices_serial_ &&
         slices_parameters_ == parameters_;
}

bool Model::can_preview() const {
  if (!stale_ || !status_.source || !status_.source->has_views || status_.source->arriving) return false;
  if (status_.started.whole) return false;  // the volume is as fast as its preview
  return state().recon.method.get<FdkOptions>() || !(state().geometry == shown_->geometry);
}

void Model::want_run() {
  if (!status_.source || !status_.source->can_run()) return;
  if (is_long_run()) {
    if (status_.question && (status_.question->reopen || !status_.question->action.name.empty())) return;
    const bool runs = !ordered_.empty() && same_reconstruction(ordered_.back().second, state());
    if (runs) status_.question.reset();  // the change was taken back
    if (!runs && !keeps_run_ && !steers()) status_.question = Question{};
    if (runs || !steers()) return;
  }
  const bool there = !status_.running && shown_ && !stale_ && status_.finished.complete;  // a change was taken back
  run_wanted_ = !there && too_large(state().grid).empty();
  wanted_since_ = Clock::now();
}

void Model::open_now(const std::string& path) {
  status_.opening = true;
  status_.first_seconds = NAN;
  open_since_ = Clock::now();
  run_wanted_ = false;
  worker_.give(order::Open{path, state().pet, state().pixel, state().slices});
}

void Model::watch_now(const std::string& from) {
  status_.opening = !from.empty();
  status_.first_seconds = NAN;  // the sender determines when views arrive
  open_since_.reset();
  worker_.give(order::Watch{from});
}

void Model::open(const std::string& path, double pixel, double slices) {
  status_.asks_to_listen.clear();
  ViewState next = state();
  const bool again = next.path == path && next.pixel == pixel && next.slices == slices;
  if (!next.path.empty() && next.path != path) leave_file(next);
  next.path = path;
  next.pixel = pixel;
  next.slices = slices;
  next.watch.clear();
  window_chosen_ = look_chosen_ = false;
  history_.end_drag();  // each file is a step of its own, however quickly it was opened after another
  edit(std::move(next), "open");
  if (again) open_now(path);
}

void Model::watch(const std::string& from) {
  status_.asks_to_listen.clear();
  ViewState next = state();
  const bool again = !from.empty() && next.watch == from;
  if (!from.empty()) {
    if (!next.path.empty()) leave_file(next);
    next.path.clear();
    last_watched_ = from;
  }
  next.watch = from;
  window_chosen_ = look_chosen_ = false;
  edit(std::move(next), "watch");
  if (again) watch_now(from);
}

void Model::restore(ViewState next) {
  check(next);
  status_.asks_to_listen.clear();
  // Session files may come from strangers; only the user may open a socket.
  if (stream::is_address(next.watch) && next.watch != state().watch)
    status_.asks_to_listen = std::exchange(next.watch, {});
  window_chosen_ = next.display.low < next.display.high;
  look_chosen_ = true;
  restored_ = true;
  const ViewState before = state();
  for (const NamedLayout& own : before.layouts)  // a session adds its layouts to the user's
    if (std::ranges::count(next.layouts, own.name, &NamedLayout::name) == 0 && next.layouts.size() < most_layouts)
      next.layouts.push_back(own);
  if (next.pinned.file.empty() && before.pinned.file.empty()) next.pinned.kept = before.pinned.kept;
  history_.edit(std::move(next), "load session");
  if (!same_pinned(state().pinned, before.pinned)) unpin();
  if (state().path == before.path && !state().path.empty())
    open_now(state().path);
  else
    changed(before);
}

void Model::prefer(const Preferences& preferences) {
  ViewState next = state();
  viewer::apply(preferences, next);
  history_.amend(std::move(next));
}

void Model::opened() {
  if (!state().path.empty() && !state().path.starts_with("demo:")) recent_.add(state().path);
  status_.center_note.clear();
  choose_map();
  choose_method();
  cut_example_head();
  await_faults();
  const bool chosen = std::exchange(restored_, false) || !(state().geometry == GeometryState{});
  if (!status_.source->can_run() || !state().recon.follow) return;
  if (status_.source->raw && !chosen)
    worker_.give(order::FindCenter{state().recon.corrections, true});
  else
    run_if_it_fits();
}

std::string Model::volume_label(const ViewState& made_by) const {
  if (!status_.source) return "";
  const std::string file = status_.source->path.starts_with("demo:")
                               ? status_.source->path.substr(5)
                               : std::filesystem::path(status_.source->path).filename().string();
  return status_.source->has_views ? file + ", " + made_by.recon.method.name() : file;
}

std::array<double, 2> Model::segment_range() const {
  const SegmentState& s = state().segment;
  if (s.low < s.high) return {s.low, s.high};
  return {status_.histogram ? fitting_iso(status_.histogram->classes) : s.low, INFINITY};
}

void Model::measure_segment(const std::string& surface) {
  if (status_.generation == 0) throw InputError("segment", "there is no volume yet", "open or reconstruct one");
  const auto [low, high] = segment_range();
  segment_asked_ = state().segment;
  worker_.give(order::Segment{low, high, segment_asked_.balls, surface, ++serial_});
}

void Model::measure_thickness() {
  if (status_.generation == 0) throw InputError("wall thickness", "there is no volume yet", "open or reconstruct one");
  const auto [low, high] = segment_range();
  worker_.give(order::Thickness{low, high, state().segment.balls, ++last_kept_});
}

void Model::keep_segment_shown() {
  const SegmentState& now = state().segment;
  if (!now.shown || status_.generation == 0 || status_.running || run_wanted_) return;
  if (now == segment_ordered_ && segment_generation_ == status_.generation) return;
  if (Clock::now() - segment_changed_ < std::chrono::duration<double>(options_.debounce)) return;
  segment_ordered_ = now;
  segment_generation_ = status_.generation;
  const auto [low, high] = segment_range();
  worker_.give(order::ShowSegment{low, high, now.balls});
}

bool Model::steers() const { return !ordered_.empty() && viewer::steers(ordered_.back().second, state()); }

void Model::send_run(bool anew) {
  run_wanted_ = false;
  status_.running = true;
  const bool goes_on = !anew && steers();
  if (!goes_on) status_.paused = false;  // the new run replaces a paused one
  status_.question.reset();
  keeps_run_ = false;
  run_since_ = Clock::now();
  worker_.give(order::Run{state().recon, state().pet, state().geometry, state().grid, ++serial_, goes_on});
  ViewState ordered;
  ordered.recon = state().recon;
  ordered.pet = state().pet;
  ordered.geometry = state().geometry;
  ordered.grid = state().grid;
  ordered_.emplace_back(serial_, std::move(ordered));
  if (ordered_.size() > most_ordered) ordered_.pop_front();
}

void Model::set_window(double low, double high) {
  ViewState next = state();
  next.display.low = low;
  next.display.high = high;
  window_chosen_ = true;
  edit(std::move(next), "window");
}

void Model::use_center(const event::CenterFound& found) {
  const double before = status_.source->center_px + state().geometry.center_shift;
  if (std::isfinite(found.center_px)) {
    status_.center_before = state().geometry.center_shift;
    ViewState next = state();
    next.geometry.center_shift = found.center_px - status_.source->center_px;
    try {
      edit(std::move(next), "find center");
      status_.center_note =
          fmt::format("Rotation axis found at column {:.2f}; it was {:.2f}.", found.center_px, before);
    } catch (const InputError& error) {
      report(error.what());
    }
  }
  if (found.opening && state().recon.follow) run_if_it_fits();  // the run waited for the centre
}

void Model::take_candidate(const event::CandidateMade& made) {
  if (made.picture->serial != candidates_serial_) return;  // of a former request
  status_.candidates.resize(made.count);
  status_.candidates[made.index] = made.picture;
}

void Model::control(order::Control what) {
  using order::Control;
  if (what == Control::pause && status_.running) status_.paused = true;
  if (what == Control::resume) status_.paused = false;
  if (what == Control::step && status_.running) status_.paused = true;
  if (what == Control::cancel) {
    if (idle()) return;
    run_wanted_ = false;
  }
  worker_.give(what);
}

void Model::update() {
  for (const Event& event : worker_.take_events()) std::visit(EventTaker{*this}, event);
  keep_denoised();
  keep_segment_shown();
  play();
  if (!run_wanted_ || status_.opening) return;
  const double waited = std::chrono::duration<double>(Clock::now() - wanted_since_).count();
  // Frequent changes of a slider must not restart a run before it ends: a run in progress ends unless the user pauses.
  // Runs of one step always end; the worker then takes the newest order. If slices preview the change, the volume waits
  // until the user pauses.
  const bool previewed = can_preview() && hooks.shows_slices && hooks.shows_slices();
  // On the host, corrections of a whole scan may take seconds, in which its preview would stand still.
  const bool strip = state().layout.strip == "sinogram" || state().layout.strip == "view";
  const auto& report = status_.report;
  const bool on_device =
      report && !report->corrected_on.empty() && std::ranges::count(report->corrected_on, "host") == 0;
  if (strip && !on_device && history_.held() && !ordered_.empty() &&
      state().recon.corrections != ordered_.back().second.recon.corrections)
    return;
  if ((!status_.running && !previewed) || status_.started.whole || steers() || waited >= options_.debounce) send_run();
}

bool Model::idle() const {
  return !run_wanted_ && !status_.opening && !status_.running && status_.pictures_wanted == 0 && !denoise_due() &&
         worker_.idle();
}

gl::GlDisplayVolume::Front Model::begin_frame() {
  if (!drawing_) {
    front_ = worker_.begin_frame();
    pinned_front_ = worker_.begin_pinned();
    segment_front_ = worker_.begin_segment();
  }
  drawing_ = true;
  return front_;
}

void Model::end_frame() {
  if (drawing_) worker_.end_frame();
  drawing_ = false;
}

void Model::frame_seen() {
  if (!open_since_ || status_.opening || front_.generation <= generation_before_) return;
  status_.first_seconds = std::chrono::duration<double>(Clock::now() - *open_since_).count();
  open_since_.reset();
}

std::uint64_t Model::request_slices(std::vector<CutPlane> planes) {
  worker_.give(order::Slices{std::move(planes), state().recon, state().geometry, ++serial_});
  slices_parameters_ = parameters_;
  return slices_serial_ = serial_;
}

void Model::request_candidates(const CutPlane& plane, std::vector<GeometryState> geometries) {
  worker_.give(order::Candidates{plane, std::move(geometries), state().recon, ++serial_});
  candidates_serial_ = serial_;
}

void Model::calibrate() {
  if (!status_.source || !status_.source->has_views)
    throw InputError("calibrate", "there are no projections", "open a scan");
  if (status_.source->arriving)
    throw InputError("calibrate", "the scan is still being measured", "wait until all views have arrived");
  status_.calibrating = true;
  worker_.give(order::Calibrate{state().recon.corrections});
}

void Model::cancel_calibration() {
  status_.calibrating = false;
  worker_.cancel_calibration();
}

std::uint64_t Model::request_oblique(const CutPlane& plane) {
  worker_.give(order::Oblique{plane, state().recon, state().geometry, ++serial_});
  return serial_;
}

std::uint64_t Model::request_d2vr(const CameraRays& camera, const VolumeRenderOptions& options,
                                  const Classifier& classifier) {
  worker_.give(order::D2vr{camera, options, classifier, ++serial_});
  return serial_;
}

void Model::request_comparison(std::int64_t view) { worker_.give(order::Compare{view}); }

}  // namespace backlit::viewer
