// Plans, begins, advances and ends runs.
#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/recon/on_failure.hpp>
#include "model/actions/geometry_edit.hpp"
#include "model/engine/backends.hpp"
#include "model/engine/engine_parts.hpp"

namespace backlit::viewer {
namespace {

constexpr double histogram_seconds = 0.25;
constexpr std::int64_t few_samples = 1 << 15;

Precision precision_of(const Method& method) {
  const auto* const options = method.get<OperatorOptions>();
  return options ? options->precision : Precision::fast;
}

std::int64_t iterations_of(const order::Run& order, bool list) {
  if (list) return order.pet.options.iterations;
  const Method& method = order.recon.method;
  return method.has("iterations") ? std::stoll(method.text("iterations")) : 0;
}

}  // namespace

Backend& Engine::backend(const std::string& name) {
  auto& made = backends_[name];
  if (!made) made = make_viewer_backend(name, options_.context, options_.memory_bytes);
  return *made;
}

Backend& Engine::choose(RunState& run, const BackendUse& make) {
  const std::string& wanted = run.order.recon.backend;
  std::vector<std::string> passed_over;
  Backend& chosen = choose_backend(
      wanted, [this](const std::string& name) -> Backend& { return backend(name); }, make, &passed_over,
      !source_.list && suits_software(run.order.recon.method));
  run.report.backend_from = backend_reason(wanted, passed_over, chosen);
  return chosen;
}

void Engine::prepare_session(RunState& next, const CancelToken& cancel) {
  const order::Run& order = next.order;
  Session& session = *source_.session;
  std::optional<Activity> activity;  // nothing else takes long
  if (order.recon.corrections != session.options().preparation.corrections) activity.emplace(options_.emit);
  const Watch watch = activity ? Watch(*activity, cancel) : Watch();
  SessionOptions options = session_options(order.recon, order.geometry, order.grid, source_.info->center_px);
  session.change(options, watch);
  if (order.grid.center != Vec3(0)) {
    options.grid.center = session.grid().center + order.grid.center;
    session.change(options, watch);
  }
  next.grid = session.grid();
  next.scan = placed(session.scan(), order.geometry);
  next.report = session.report();
}

Method Engine::completed(const Method& method, const CancelToken& cancel) {
  if (!method.get<IterationOptions>()) return method;  // these may name files, which take a while to read
  Activity activity(options_.emit);
  return source_.session->completed(method, Watch(activity, cancel));
}

void Engine::prepare(RunState& next, const CancelToken& cancel) {
  if (!source_.views()) throw InputError("reconstruct", "there are no projections", "open a scan");
  const order::Run& order = next.order;
  const Method asked = method_of(order.recon);
  check(asked);
  const auto* const fdk = asked.get<FdkOptions>();
  const bool arriving = arrived_ && arrived_->missing() > 0;
  const std::string corrected = to_text(order.recon.corrections);
  if (arriving && (!fdk || !corrected.empty()))
    throw InputError(corrected.empty() ? asked.name() : corrected,
                     "takes all views, and the scan is still being measured", "use fdk, without it, until then");
  prepare_session(next, cancel);
  const Method& method = next.method = completed(asked, cancel);
  if (order.recon.on_failure != "stop")
    require_elsewhere(backend(order.recon.on_failure), next.grid, next.scan, method);
  next.backend = &choose(next, [&](Backend& backend) {
    if (fdk) next.reconstruction = make_live(backend, order, *fdk, next.scan, next.grid, done_.get());
    next.live = next.reconstruction != nullptr;
    if (!next.live)
      next.reconstruction =
          make_reconstruction(backend, std::make_shared<PlacedViews>(source_.views(), next.scan), next.grid, method);
  });
}

void Engine::prepare_list(RunState& next, const CancelToken& cancel) {
  if (done_ && done_->list && !done_->complete) done_.reset();  // it may still be reading from the same list
  next.grid = chosen_grid(source_.info->grid, session_options({}, {}, next.order.grid, 0).grid);
  next.grid.center += next.order.grid.center;
  if (const std::string& other = next.order.recon.on_failure; other != "stop")
    require_list_mode(backend(other).innermost(), next.grid, next.order.pet.options.pipeline);
  Activity activity(options_.emit);
  Backend& able = choose(next, [&](Backend& backend) {
    constexpr std::int64_t soon = 45'000;  // voxels: the image itself is there before long
    if (!shows_ && next.grid.voxels() > soon) show_preview(backend.innermost(), next, cancel);
    auto run = list_runs_.make(backend.innermost(), source_.list, next.grid, next.order.pet, Watch(activity, cancel));
    next.list = run.get();
    next.reconstruction = std::move(run);
  });
  next.backend = &able.innermost();
}

/// The first picture of a list: the sensitivity of the run itself may take minutes.
void Engine::show_preview(Backend& backend, const RunState& next, const CancelToken& cancel) try {
  Progress silent;
  const Volume image = ListModeRuns::preview(backend, *source_.list, next.grid, next.order.pet, Watch(silent, cancel));
  if (!options_.gate->wait_to_overwrite(display_.generation() - 1, [&] { return cancel.requested(); })) return;
  denoised_.reset();
  display_.publish(image.values.span(), image.grid);
  shows_ = true;
  options_.emit(event::Published{display_.generation(), image.grid, false, next.order.serial, true});
  make_histogram(false);
} catch (const Cancelled&) {
  throw;
} catch (const Error&) {  // the run itself will say what is wrong
}

/// Emits the report of a run in its present state.
void Engine::report(const RunState& run) {
  if (run.list || !source_.session) return;
  auto report = std::make_shared<SessionReport>(run.report);
  const SessionReport now = source_.session->report();  // with the repairs in views read since planning
  report->dead_pixels = now.dead_pixels;
  report->replaced_readings = now.replaced_readings;
  add_run(*report, *run.backend, *run.reconstruction, run.method);
  for (const auto& [stage, seconds] : run.stages) report->seconds[stage] += seconds;
  report->seconds["total"] = seconds_since(run.start);
  options_.emit(event::Reported{report});
}

void Engine::start(const order::Run& order, const CancelToken& cancel) try {
  if (steer(order)) return;
  one_step_ = false;  // it was the former run's
  plan_and_begin(order, cancel);
} catch (const DeviceFailure& failure) {
  go_on(order, failure, cancel);
}

bool Engine::steer(const order::Run& order) {
  std::unique_ptr<RunState>& held = run_ ? run_ : done_;
  if (!order.goes_on || !held || held->list || order.geometry != held->order.geometry ||
      order.grid != held->order.grid || !steers(held->order.recon, order.recon))
    return false;
  Method method = method_of(order.recon);
  check(method);
  if (method.has("weights") && held->method.has("weights"))  // of a run they stay as they were chosen at its start
    method.set("weights", held->method.text("weights"));
  if (!held->reconstruction->steer(method)) return false;
  const auto before = std::ssize(held->reconstruction->residuals()) + (run_ ? 1 : 0);  // the present one, too
  if (!run_) {
    run_ = std::move(done_);
    run_->complete = false;
    histogram_due_.reset();
    run_->start = run_->last_sample = Clock::now();
  }
  run_->order = order;
  run_->method = std::move(method);
  options_.emit(event::Steered{before + iterations_of(order, false)});
  report(*run_);
  return true;
}

void Engine::go_on(order::Run order, const DeviceFailure& failure, const CancelToken& cancel) {
  const std::string other = std::exchange(order.recon.on_failure, "stop");
  if (other == "stop") throw;  // it is being handled
  const std::string failed = run_ ? run_->backend->name() : "the chosen backend";
  std::string checkpoint = run_ ? run_->reconstruction->checkpoint() : "";
  PetOptions& pet = order.pet.options;
  const auto* const iterations = order.recon.method.get<IterationOptions>();
  if (checkpoint.empty()) checkpoint = source_.list ? pet.resume : iterations ? iterations->resume : "";
  options_.emit(event::Warned{going_on(failed, failure, other, checkpoint)});
  order.recon.backend = other;
  order.recon.method = elsewhere(order.recon.method, checkpoint);
  pet.resume = checkpoint;
  pet.resume_elsewhere = true;
  drop_plan();
  const bool paused = paused_;
  plan_and_begin(order, cancel);
  set_paused(paused);
}

void Engine::plan_and_begin(const order::Run& order, const CancelToken& cancel) {
  run_.reset();
  histogram_due_.reset();
  paused_ = false;
  auto next = std::make_unique<RunState>();
  next->order = order;
  {
    Stopwatch watch(next->stages, "plan");
    source_.list ? prepare_list(*next, cancel) : prepare(*next, cancel);
  }
  begin(std::move(next), cancel);
}

void Engine::begin(std::unique_ptr<RunState> next, const CancelToken& cancel) {
  display_.set_backend(*next->backend);
  next->start = next->last_sample = Clock::now();
  run_ = std::move(next);
  auto* const live = dynamic_cast<LiveFdk*>(run_->reconstruction.get());
  const bool whole = live && live->at_once();
  if (whole) live->set_meanwhile([this] { look_ahead(); });
  if (!waits_to_show()) take_over();
  options_.emit(event::Started{run_->backend->name(), run_->backend->device(), run_->reconstruction->variant(),
                               run_->grid, run_->list ? 0 : center_of(run_->scan), whole,
                               iterations_of(run_->order, run_->list != nullptr)});
  if (!whole) report(*run_);
  if (whole) step_run(cancel);  // step now: frequent orders of a slider must not prevent quick runs from finishing
}

/// Whether the volume of an earlier run stays on screen. Iterative methods begin with an empty volume, so the old one
/// stays until their first correction is done.
bool Engine::waits_to_show() const {
  const RunState& run = *run_;
  const auto* const iterations = run.order.recon.method.get<IterationOptions>();
  return shows_ && !run.published && !run.live && !run.list && (!iterations || iterations->initial.empty());
}

/// From now on the run's volume is shown, exported and reprojected, and its views are used for pictures.
void Engine::take_over() {
  done_.reset();
  run_->taken_over = true;
  use_views_of(*run_);
}

/// Plans the next run while the device works on a whole run, so that the device need not wait.
void Engine::look_ahead() {
  if (!options_.take_run) return;
  const RunState& run = *run_;
  const ReconState& now = run.order.recon;
  const auto alike = [&](const order::Run& order) {
    const ReconState& then = order.recon;
    return then.backend == now.backend && then.corrections == now.corrections &&
           then.method.name() == now.method.name() && precision_of(then.method) == precision_of(now.method) &&
           order.grid == run.order.grid;
  };
  // Wait only while the device is busy: half of the expected time of a run, less the time that has passed.
  const double work = static_cast<double>(run.grid.voxels()) * static_cast<double>(run.scan.view_count());
  const double expected = pace_.whole > 0 ? work / pace_.whole : 0;
  auto order = options_.take_run(std::max(0.0, 0.5 * (expected - seconds_since(run.start))), alike);
  if (!order) return;
  next_ = std::make_unique<RunState>();
  RunState& next = *next_;
  next.order = std::move(*order);
  try {
    check(next.order.recon.method);
    const auto* const fdk = next.order.recon.method.get<FdkOptions>();
    if (!fdk) return;
    const CancelToken never;
    prepare_session(next, never);
    next.report.backend_from = run.report.backend_from;
    if (!takes_one_step(*run.backend, next.order, next.scan, next.grid)) return;
    next.reconstruction = std::make_unique<LiveFdk>(*measured_, next.scan, next.grid, *fdk, next.order.recon.interval,
                                                    true, static_cast<LiveFdk*>(run.reconstruction.get()));
    next.method = method_of(next.order.recon);
    next.backend = run.backend;
    next.live = true;
    next.planned_after = run_.get();
  } catch (const std::exception&) {  // the error occurs again, and is reported, when the run starts
  }
}

void Engine::start_next(const CancelToken& cancel) {
  auto next = std::move(next_);
  const bool paused = paused_;  // a pause that came after the order
  const bool planned = next->planned_after && next->planned_after == done_.get();
  if (planned)
    begin_planned(std::move(next), cancel);
  else
    start(next->order, cancel);
  set_paused(paused && run_);
}

void Engine::begin_planned(std::unique_ptr<RunState> next, const CancelToken& cancel) {
  run_.reset();
  histogram_due_.reset();
  one_step_ = false;
  const order::Run order = next->order;
  try {
    {
      Stopwatch watch(next->stages, "plan");  // the rest of the planning
      static_cast<LiveFdk&>(*next->reconstruction).begin();
    }
    begin(std::move(next), cancel);
  } catch (const DeviceFailure& failure) {
    go_on(order, failure, cancel);
  }
}

std::unique_ptr<Reconstruction> Engine::make_live(Backend& backend, const order::Run& order, const FdkOptions& fdk,
                                                  const Scan& scan, const VolumeGrid& grid, RunState* last) {
  try {
    if (!measured_ || &measured_->backend() != &backend || measured_->source() != source_.views()) {
      last = nullptr;
      measured_ = std::make_unique<MeasuredViews>(backend, source_.views());
    }
    const bool at_once = takes_one_step(backend, order, scan, grid);
    auto* previous = last && last->backend == &backend ? dynamic_cast<LiveFdk*>(last->reconstruction.get()) : nullptr;
    auto live = std::make_unique<LiveFdk>(*measured_, scan, grid, fdk, order.recon.interval, at_once, previous);
    // Passes are cut in software, and more views at once need less memory traffic.
    if (options_.context->limits().software) live->set_step_seconds(0.1);
    live->begin();
    return live;
  } catch (const Failure&) {  // not enough memory: read views from the host in batches
    measured_.reset();
    return nullptr;
  }
}

/// The first estimate is optimistic: a run in parts takes several times as long, since each part is a pass over the
/// volume.
bool Engine::takes_one_step(const Backend& backend, const order::Run& order, const Scan& scan, const VolumeGrid& grid) {
  constexpr double cost_of_parts = 5;
  const Precision precision = precision_of(order.recon.method);
  if (pace_.backend != &backend || pace_.precision != precision) pace_ = {&backend, precision};
  const double pace = pace_.whole > 0 ? pace_.whole : cost_of_parts * pace_.in_parts;
  const double work = static_cast<double>(grid.voxels()) * static_cast<double>(scan.view_count());
  return !order.recon.lockstep && measured_->complete() && !measured_->arriving() &&
         work < pace * options_.at_once_seconds;
}

/// Whether the first subset has surely corrected the volume: the second is done, too.
bool Engine::corrected(const RunState& run, const ReconProgress& at) {
  const auto* const ordered = run.order.recon.method.get<SubsetOptions>();
  const std::int64_t views = run.scan.view_count();
  const std::int64_t subsets = run.order.recon.method.name() == "sart" ? views : ordered ? ordered->subsets : 1;
  return at.stage == "iterate" && at.unit == "views" && subsets > 1 && at.done * subsets >= 2 * views;
}

void Engine::step_run(const CancelToken& cancel) {
  RunState& run = *run_;
  const ReconProgress was = run.reconstruction->progress();
  const auto status = run.reconstruction->step();
  const ReconProgress at = run.reconstruction->progress();
  const bool starved = feed_ && at.done == was.done;  // no new views have arrived
  if (!starved) waiting_ = false;
  run.held_up = run.held_up || starved;
  if (run.list)
    run.views = at.done;
  else if (at.unit == "views" && at.stage != "read")
    run.views += at.stage == was.stage ? at.done - was.done : at.done;  // the next stage counts from 0
  const bool finished = status == Reconstruction::Status::finished;
  const bool iterated = finished || status == Reconstruction::Status::iteration_done;
  const bool enough = run.views - run.published_views >= run.order.recon.interval || (!run.published && !run.live);
  const bool due = run.list          ? finished || run.list->updates() > run.published_updates
                   : waits_to_show() ? iterated || corrected(run, at)
                                     : iterated || enough || (starved && run.views > run.published_views);
  if (due) publish(finished, cancel);
  if (!starved || run.views != run.sampled_views) report_progress();
  // The sender ended before all views arrived: show the result so far.
  if (!finished && arrived_ && !feed_ && at.done == was.done) return end_run(false, false);
  if (finished) return end_run(true, false);
  if (one_step_ && due) {
    one_step_ = false;
    set_paused(true);
  }
}

void Engine::set_paused(bool paused) {
  paused_ = paused;
  options_.emit(event::Paused{paused});
}

void Engine::publish(bool final, const CancelToken& cancel) {
  RunState& run = *run_;
  const auto start = Clock::now();
  {
    Stopwatch watch(run.stages, "wait for frame");
    if (!options_.gate->wait_to_overwrite(display_.generation() - 1, [&] { return cancel.requested(); })) return;
  }
  {
    Stopwatch watch(run.stages, "publish");
    denoised_.reset();
    run.reconstruction->publish(display_);
  }
  if (!run.taken_over) take_over();
  run.published = shows_ = true;
  run.published_views = run.views;
  if (run.list) run.published_updates = run.list->updates();
  options_.emit(event::Published{display_.generation(), display_.grid(), final, run.order.serial});
  if (run.order.recon.lockstep)
    options_.gate->wait_until_drawn(display_.generation(),
                                    [&] { return cancel.requested() || seconds_since(start) > 1; });
  run.showing += seconds_since(start);
  if (final) histogram_due_ = Clock::now();
  if (seconds_since(last_histogram_) < histogram_seconds) return;
  if (next_)  // it will soon replace this volume
    make_histogram(false, few_samples);
  else
    make_histogram(final);
}

void Engine::report_progress() {
  RunState& run = *run_;
  const auto residuals = run.list ? run.list->likelihoods() : run.reconstruction->residuals();
  if (residuals.size() != run.residuals) {
    run.residuals = residuals.size();
    options_.emit(event::Residuals{{residuals.begin(), residuals.end()}});
  }
  const double interval = seconds_since(run.last_sample);
  if (interval < 0.02 && run.views < run.scan.view_count()) return;
  ThroughputSample sample;
  sample.seconds = seconds_since(run.start);
  sample.views = run.views;
  if (interval > 0) {
    sample.views_per_second = static_cast<double>(run.views - run.sampled_views) / interval;
    sample.shown_share = std::min(1.0, (run.showing - run.sampled_showing) / interval);
  }
  run.last_sample = Clock::now();
  run.sampled_views = run.views;
  run.sampled_showing = run.showing;
  options_.emit(event::Progress{run.reconstruction->progress(), sample});
}

void Engine::end_run(bool complete, bool cancelled) {
  const double seconds = seconds_since(run_->start);
  if (complete && run_->live) {
    const double work = static_cast<const LiveFdk&>(*run_->reconstruction).work_seconds();
    const auto updates = static_cast<double>(display_.grid().voxels()) * static_cast<double>(run_->scan.view_count());
    const bool whole = static_cast<const LiveFdk&>(*run_->reconstruction).at_once();
    double& pace = whole ? pace_.whole : pace_.in_parts;
    // A run that others slowed down counts only in part: otherwise no whole run would be tried again.
    if (work > 0 && (!whole || pace_.warm)) pace = std::max(updates / work, 0.9 * pace);
    pace_.warm = pace_.warm || whole;
  }
  event::Finished finished{complete, cancelled, seconds, run_->reconstruction->stopped_by(), run_->stages};
  if (complete && run_->live && !run_->held_up && !static_cast<const LiveFdk&>(*run_->reconstruction).at_once()) {
    const order::Run& order = run_->order;
    finished.rate = {order.recon.interval, static_cast<double>(run_->views) / seconds, run_->showing / seconds};
    finished.lockstep = order.recon.lockstep;
  }
  finished.serial = run_->order.serial;
  for (const auto& [stage, spent] : run_->reconstruction->seconds())
    if (stage != "step") finished.stages[stage] += spent;
  one_step_ = paused_ = false;
  if (run_->published && !complete) histogram_due_ = Clock::now();
  run_->complete = complete;
  if (complete && !next_ && source_.session)
    for (const std::string& sentence : source_.session->advice(run_->order.recon.method))
      run_->report.warnings.push_back(sentence);
  report(*run_);
  if (waits_to_show())
    run_.reset();  // the previous volume stays
  else
    done_ = std::move(run_);
  options_.emit(finished);
}

}  // namespace backlit::viewer
