#include <backlit/recon/session.hpp>

#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <utility>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/default_method.hpp>
#include <backlit/recon/method_options.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/methods/iterative_fdk.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include <backlit/recon/on_failure.hpp>
#include <backlit/recon/volume_tools.hpp>
#include "device/shared_arrays.hpp"
#include "recon/session/handover.hpp"
#include "recon/session/scan_advice.hpp"

namespace backlit {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

ScanFile file_of(std::shared_ptr<ProjectionSource> projections) {
  ScanFile file;
  file.scan = projections->scan();
  file.projections = std::move(projections);
  return file;
}

/// Rounds a column, so that adding and subtracting a shift gives the same column.
double tidy(double column) { return std::round(1e9 * column) / 1e9; }

double checked_column(double column, const Scan& scan) {
  if (std::abs(column - scan.detector.middle_column()) > static_cast<double>(scan.detector.columns))
    throw InputError("center",
                     fmt::format("column {} is far off the detector of {} columns", column, scan.detector.columns),
                     "count columns from 0, at the middle of a pixel");
  return tidy(column);
}

std::string grid_from(const GridOptions& asked, bool in_file) {
  std::string base = in_file ? "the scan file's [volume]" : "what every view sees";
  if (asked == GridOptions{}) return base;
  const bool sized = asked.size != Size3{0, 0, 0}, spaced = asked.voxel != Vec3(0);
  const std::string what = sized && spaced ? "size and voxels as asked for"
                           : sized         ? "size as asked for, the box is " + base
                           : spaced        ? "voxels as asked for, the box is " + base
                                           : base;
  return asked.center ? what + ", moved as asked for" : what;
}

void add_repairs(SessionReport& report, const CorrectionReport* repairs) {
  if (!repairs) return;
  report.dead_pixels = repairs->dead_pixels;
  report.replaced_readings = repairs->non_positive_values;
}

std::shared_ptr<const Volume> load_named(const std::string& name, bool keyword, const Watch& watch) {
  if (name.empty() || keyword) return nullptr;
  return std::make_shared<const Volume>(load_volume(name, watch));
}

}  // namespace

bool suits_software(const Method& method) { return method.get<FilteredOptions>() != nullptr; }

Session Session::open(const std::filesystem::path& path, const SessionOptions& options, const Watch& watch) {
  return Session(load_scan(path), options, watch);
}

Session::Session(std::shared_ptr<ProjectionSource> projections, const SessionOptions& options, const Watch& watch)
    : Session(file_of(std::move(projections)), options, watch) {}

Session::Session(ScanFile file, const SessionOptions& options, const Watch& watch)
    : file_(std::move(file)), corrected_(file_.projections) {
  const auto start = std::chrono::steady_clock::now();
  report_.scan = file_.path.string();
  report_.warnings = file_.notes;
  report_.directions = file_.directions;
  if (corrected_ && file_.kind == ScanFile::Kind::counts) {
    repairs_ = std::make_shared<CorrectionReport>();
    corrected_ = correct_counts(corrected_, file_.flats, file_.darks, repairs_, watch);
  }
  clean_.source = final_.source = corrected_;
  prepare(options, watch);
  report_.seconds["preprocess"] = seconds_since(start);
}

CorrectionOptions Session::corrections_for(const PreparationOptions& wanted, const Watch& watch) {
  CorrectionOptions base;
  if (wanted.correct == CorrectionSource::file) base = file_.corrections;
  if (wanted.correct == CorrectionSource::automatic && corrected_) {
    if (!chosen_) chosen_ = choose_corrections(*corrected_, {file_.flats, file_.darks, {}}, watch);
    base = chosen_->options;
  }
  return over(base, wanted.corrections);
}

CorrectionDevice* Session::corrector(const SessionOptions& options) {
  if (options.on_failure != "stop") return nullptr;  // a run goes on elsewhere from views in host memory
  if (!corrector_tried_ || !(options.device == corrector_options_)) {
    raw_.reset();
    corrector_ = make_registered_backend(options.device.backend, backend_options(options.device));
    corrector_options_ = options.device;
    corrector_tried_ = true;
  }
  return corrector_ ? dynamic_cast<CorrectionDevice*>(&corrector_->innermost()) : nullptr;
}

CorrectedProjections Session::correct_where(std::shared_ptr<ProjectionSource> source, const CorrectionOptions& wanted,
                                            const CorrectionInput& input, const SessionOptions& options,
                                            const Watch& watch) {
  if (CorrectionDevice* const device = wanted == CorrectionOptions{} ? nullptr : corrector(options)) try {
      return apply_corrections(source, wanted, input, watch, device);
    } catch (const DeviceFailure&) {  // too little memory, say
      if (source == raw_) source = corrected_;
      raw_.reset();
    }
  return apply_corrections(std::move(source), wanted, input, watch);
}

std::shared_ptr<ProjectionSource> Session::uncorrected(const SessionOptions& options, const Watch& watch) {
  constexpr std::int64_t copies = 6;  // of all views: measured, corrected before and now, filtered, packed, spare
  CorrectionDevice* const device = corrector(options);  // forgets views on another device
  if (raw_ || clean_.options == CorrectionOptions{}) return raw_ ? raw_ : corrected_;
  const Scan& scan = corrected_->scan();
  const std::int64_t bytes = scan.view_count() * scan.detector.pixels() * static_cast<std::int64_t>(sizeof(float));
  if (device && copies * bytes <= corrector_->capabilities().memory_bytes) try {
      raw_ = device->load(*corrected_, watch);
    } catch (const DeviceFailure&) {
    }
  return raw_ ? raw_ : corrected_;
}

std::vector<std::string> Session::places(const CorrectedProjections& made) const {
  std::vector<std::string> names;
  for (const bool on_device : made.on_device) names.push_back(on_device ? corrector_->name() : "host");
  return names;
}

void Session::correct_projections(const CorrectionOptions& wanted, const SessionOptions& options, const Watch& watch) {
  if (wanted == clean_.options) return;
  CorrectedProjections made =
      correct_where(uncorrected(options, watch), wanted, {file_.flats, file_.darks, {}}, options, watch);
  clean_ = {std::move(made.source), wanted, std::move(made.done), places(made), {}};
  final_ = clean_;
  found_.reset();
  edges_.reset();
}

void Session::correct_by_volume(const CorrectionOptions& wanted, const Scan& scan, const SessionOptions& options,
                                const Watch& watch) {
  if (wanted == CorrectionOptions{}) {
    final_ = clean_;
    return;
  }
  if (wanted == final_.options && scan.views == final_.views) return;
  const std::shared_ptr<Backend> backend =
      corrector(options) ? corrector_ : make_backend(options.device.backend, backend_options(options.device));
  // A rank makes the whole coarse volume itself: it needs all views for its corrections in any case.
  auto* const ranked = dynamic_cast<SharedArrays*>(backend.get());
  const std::shared_ptr<Backend> alone(backend, ranked ? &ranked->own_device() : backend.get());
  CorrectedProjections made = correct_where(std::make_shared<PlacedViews>(clean_.source, scan), wanted,
                                            {{}, {}, make_volume_tools(alone, watch)}, options, watch);
  final_ = {std::make_shared<PlacedViews>(made.source, file_.scan), wanted, clean_.done, clean_.where, scan.views};
  final_.done.insert(final_.done.end(), made.done.begin(), made.done.end());
  for (const std::string& place : places(made)) final_.where.push_back(place);
  edges_.reset();
}

CorrectionOptions Session::corrections() const {
  return final_.views.empty() ? clean_.options : over(clean_.options, final_.options);
}

const CenterEstimate& Session::found_center(const Watch& watch) {
  if (!clean_.source)
    throw InputError("center", "finding it takes projections, and this scan has none", "give a column");
  if (!found_) found_ = find_center(*clean_.source, watch);
  return *found_;
}

double Session::center_for(const CenterOption& option, const Watch& watch) {
  return option.kind == CenterOption::Kind::find ? tidy(found_center(watch).center_px)
                                                 : checked_column(option.column, file_.scan);
}

void Session::change(const SessionOptions& options, const Watch& watch) {
  const auto start = std::chrono::steady_clock::now();
  const auto before = std::tuple(clean_, final_, found_, edges_);
  try {
    prepare(options, watch);
    report_.seconds["preprocess"] += seconds_since(start);
  } catch (...) {
    std::tie(clean_, final_, found_, edges_) = before;
    throw;
  }
}

void Session::prepare(const SessionOptions& options, const Watch& watch) {
  const PreparationOptions& wanted = options.preparation;
  const CorrectionOptions corrections = corrections_for(wanted, watch);
  if (corrected_) correct_projections(projection_corrections(corrections), options, watch);
  const double in_file = center_of(file_.scan);
  SessionReport report = report_;
  Scan scan = file_.scan;
  report.faults =
      wanted.correct == CorrectionSource::automatic && chosen_ ? chosen_->reasons : std::vector<std::string>();
  report.center_px = in_file;
  report.center_from = "as the scan file says";
  if (wanted.center.kind != CenterOption::Kind::scan) {
    report.center_px = center_for(wanted.center, watch);
    const bool found = found_ && report.center_px == tidy(found_->center_px);
    report.center_from = fmt::format("{}; the scan file says {:.2f}",
                                     found ? "found by " + found_->method : std::string("as asked for"), in_file);
    scan = with_center(scan, report.center_px);
  }
  if (corrected_) correct_by_volume(volume_corrections(corrections), scan, options, watch);
  report.corrections = final_.done;
  report.corrected_on = final_.where;
  std::shared_ptr<ProjectionSource> projections = final_.source;
  if (wanted.center.kind != CenterOption::Kind::scan) {
    if (projections) projections = std::make_shared<PlacedViews>(projections, scan);
  }
  if (!wanted.views.all() && projections) {
    const std::int64_t all = scan.view_count(), end = wanted.views.end > 0 ? wanted.views.end : all;
    projections = std::make_shared<SelectedViews>(projections, wanted.views.first, end, wanted.views.step);
    scan = projections->scan();
  }
  report.views = scan.view_count();
  report.grid_from = grid_from(options.grid, file_.volume.has_value());
  std::exception_ptr no_volume;
  try {
    report.grid = chosen_grid(file_.volume ? *file_.volume : base_grid(scan, options.grid), options.grid);
  } catch (const InputError&) {  // no error unless a volume is needed
    no_volume = std::current_exception();
  }

  if (!(options.device == options_.device)) backends_.clear();
  if (!(wanted.views == options_.preparation.views)) edges_.reset();
  options_ = options;
  report_ = std::move(report);
  scan_ = std::move(scan);
  projections_ = std::move(projections);
  no_volume_ = no_volume;
}

const VolumeGrid& Session::grid() const {
  if (no_volume_) std::rethrow_exception(no_volume_);
  return report_.grid;
}

const std::shared_ptr<ProjectionSource>& Session::require_projections() const {
  if (!projections_) throw InputError(file_.path.string(), "has no [data]", "name the projections there");
  return projections_;
}

SessionReport Session::report() const {
  SessionReport report = report_;
  add_repairs(report, repairs_.get());
  return report;
}

std::vector<std::string> Session::advice(const Method& method) {
  if (!projections_ || !(method.get<FdkOptions>() || method.get<IterativeFdkOptions>())) return {};
  const auto* const filtered = method.get<FilteredOptions>();
  const bool continued = corrections().truncation > 0 || (filtered && filtered->filter.pad > 0);
  if (!edges_) edges_ = std::make_shared<const std::vector<ViewEdges>>(edges_of_views(*projections_));
  return advice_on_fdk(scan_, *edges_, report_.center_px, continued);
}

std::vector<float> Session::photons_of_views() const {
  const auto& views = options_.preparation.views;
  const std::int64_t all = file_.scan.view_count(), columns = file_.scan.detector.columns;
  std::vector<float> photons;
  for (std::int64_t view = views.first; view < (views.end > 0 ? views.end : all); view += views.step) {
    const auto from = file_.photons.begin() + static_cast<std::ptrdiff_t>(view * columns);
    photons.insert(photons.end(), from, from + static_cast<std::ptrdiff_t>(columns));
  }
  return photons;
}

Method Session::completed(Method method, const Watch& watch) const {
  continue_rows(method, corrections());
  auto* const o = method.get<IterationOptions>();
  if (!o) return method;
  if (auto* const pwls = method.get<PwlsOptions>()) {
    using Weights = PwlsOptions::Weights;
    if (!pwls->photons && !file_.photons.empty())
      pwls->photons = std::make_shared<const std::vector<float>>(photons_of_views());
    const bool counted = file_.counted || file_.kind == ScanFile::Kind::counts || pwls->photons;
    if (pwls->weights == Weights::automatic) pwls->weights = counted ? Weights::transmission : Weights::none;
  }
  if (!o->mask_volume) o->mask_volume = load_named(o->mask, o->mask == "cylinder", watch);
  if (!o->initial_volume) o->initial_volume = load_named(o->initial, o->starts_filtered(), watch);
  if (!o->attenuation_volume) o->attenuation_volume = load_named(o->emission.attenuation, false, watch);
  return method;
}

std::shared_ptr<Backend> Session::backend_for(const Method& method, const BackendUse& use, SessionReport& report) {
  const BackendOptions device = backend_options(options_.device);
  const auto start = [&](const std::string& name) -> Backend& {
    auto& backend = backends_[name];
    if (!backend) backend = make_backend(name, device);
    return *backend;
  };
  std::vector<std::string> passed_over;
  const std::string& asked = options_.device.backend;
  Backend& chosen = choose_backend(asked, start, use, &passed_over, suits_software(method));
  report.backend_from = backend_reason(asked, passed_over, chosen);
  for (const auto& [name, backend] : backends_)
    if (backend.get() == &chosen) return backend;
  throw Failure("session", "the backend is not one of the session's");
}

std::unique_ptr<SessionRun> Session::start(const std::optional<Method>& named, const Watch& watch) {
  std::unique_ptr<SessionRun> run(new SessionRun);
  require_projections();
  run->scan_ = report_;
  const DefaultMethod usual = named ? DefaultMethod() : default_method(scan_);
  const Method asked = named ? *named : Method(usual.name);
  run->scan_.method_from = usual.from;
  run->repairs_ = repairs_;
  {
    Stopwatch stopwatch(run->seconds_, "preprocess");
    run->method_ = completed(asked, watch);
    for (const std::string& sentence : advice(asked)) run->scan_.warnings.push_back(sentence);
    const auto* const iterations = asked.get<IterationOptions>();
    if (corrections().truncation > 0 && iterations && !iterations->starts_filtered())
      run->scan_.warnings.push_back(
          fmt::format("{} does not continue rows (`truncation`): its volume must hold the whole object", asked.name()));
  }
  Stopwatch stopwatch(run->seconds_, "setup");
  run->projections_ = projections_;
  run->grid_ = grid();
  const auto plan = [&](Backend& backend) {
    run->reconstruction_ = make_reconstruction(backend, projections_, grid(), run->method_);
  };
  if (options_.on_failure != "stop") {
    run->on_failure_ = options_.on_failure;
    run->on_failover_ = options_.on_failover;
    require_elsewhere(run->on_failure_, grid(), scan_, run->method_);
  }
  try {
    run->backend_ = backend_for(asked, plan, run->scan_);
    if (const std::string unlike = unlike_devices(*run->backend_); !unlike.empty())
      run->scan_.warnings.push_back(unlike);
  } catch (const DeviceFailure& failure) {
    run->go_on(failure);
  }
  return run;
}

SessionResult Session::run(const std::optional<Method>& method, const Watch& watch) {
  const auto run = start(method, watch);
  run->finish(watch);
  Volume volume = run->download(watch);
  return {std::move(volume), run->report()};
}

void SessionRun::go_on(const DeviceFailure& failure) {
  if (on_failure_.empty()) throw;  // it is being handled
  const std::string failed = backend_ ? backend_->name() : "the chosen backend";
  std::string checkpoint = reconstruction_ ? reconstruction_->checkpoint() : "";
  if (const auto* o = method_.get<IterationOptions>(); o && checkpoint.empty()) checkpoint = o->resume;
  const Method method = elsewhere(method_, checkpoint);
  scan_.warnings.push_back(going_on(failed, failure, on_failure_, checkpoint));
  if (on_failover_) on_failover_(scan_.warnings.back());
  scan_.backend_from = fmt::format("{} failed", failed);
  reconstruction_.reset();
  backend_ = make_backend(std::exchange(on_failure_, ""));
  reconstruction_ = make_reconstruction(*backend_, projections_, grid_, method);
}

Reconstruction::Status SessionRun::step() {
  try {
    return reconstruction_->step();
  } catch (const DeviceFailure& failure) {
    go_on(failure);
    return Reconstruction::Status::more;
  }
}

void SessionRun::finish(const Watch& watch) {
  std::string stage;
  std::int64_t shown = 0;
  auto status = Reconstruction::Status::more;
  while (status != Reconstruction::Status::finished) {
    watch.advance(0);  // throws when a stop was requested
    status = step();
    const ReconProgress at = reconstruction_->progress();
    if (at.stage != stage || at.done < shown) {
      watch.begin(stage = at.stage, at.total, at.unit);
      shown = 0;
    }
    watch.advance(at.done - shown);
    shown = at.done;
  }
  watch.end();
}

Volume SessionRun::download(const Watch& watch) {
  const auto fetch = [&] {
    Stopwatch stopwatch(seconds_, "download");
    return reconstruction_->download();
  };
  try {
    return fetch();
  } catch (const DeviceFailure& failure) {
    go_on(failure);
  }
  finish(watch);
  return fetch();
}

std::optional<VolumeGrid> SessionRun::slices_on_device() {
  try {
    const DeviceArray* const volume = reconstruction_->unfinished_volume();
    if (!volume) return {};
    const auto shared = reconstruction_->device_grid();
    const VolumeGrid grid = shared ? *shared : held_part(*backend_, grid_);  // of ranks: the slices of this one
    std::vector<float> slice(static_cast<std::size_t>(grid.size[0] * grid.size[1]));
    reconstruction_->finish_slices(1);
    if (backend_->download_rows(*volume, 0, slice)) return grid;
  } catch (const DeviceFailure&) {  // download() fails, too, and goes on elsewhere
  }
  return {};
}

bool SessionRun::hand_over(const TakeSlices& take, const Watch& watch, bool behind) {
  const std::optional<VolumeGrid> grid = slices_on_device();
  if (!grid) return false;
  const DeviceArray& volume = *reconstruction_->unfinished_volume();
  const std::int64_t slice = grid->size[0] * grid->size[1];
  const std::int64_t batch = std::min(items_at_once(slice), grid->size[2]);
  // With room for a whole slab the next one is computed while this one is written.
  const std::int64_t most = std::max<std::int64_t>(2, (reconstruction_->slab_slices() + batch - 1) / batch);
  Handover handover(take, behind, batch * slice, most,
                    [&](std::int64_t bytes) { return backend_->host_memory(bytes); });
  in_batches(watch, "write", grid->size[2], slice, "slices", [&](std::int64_t first, std::int64_t count) {
    reconstruction_->finish_slices(first + count);
    const std::span<float> slices = handover.room().first(static_cast<std::size_t>(count * slice));
    {
      const Stopwatch stopwatch(seconds_, "download");
      const double begin = clock_seconds();
      backend_->download_rows(volume, first, slices);
      downloads_.push_back(
          {"download", fmt::format("slices {} to {}", first, first + count - 1), begin, clock_seconds() - begin});
    }
    handover.give(first, slices);
  });
  handover.finish();
  return true;
}

bool SessionRun::download_slices(const TakeSlices& take, const Watch& watch, bool behind) {
  try {
    return hand_over(take, watch, behind);
  } catch (const DeviceFailure& failure) {
    go_on(failure);
  }
  seconds_.erase("download");
  downloads_.clear();
  finish(watch);
  return hand_over(take, watch, behind);
}

Timeline SessionRun::timeline() {
  Timeline all = reconstruction_->timeline();
  if (!all.empty()) all.insert(all.end(), downloads_.begin(), downloads_.end());
  return all;
}

SessionReport SessionRun::report() const {
  SessionReport report = scan_;
  add_repairs(report, repairs_.get());
  add_run(report, *backend_, *reconstruction_, method_);
  report.passes = backend_->pass_times();
  for (const auto& [stage, seconds] : seconds_)
    stage == "download" ? report.seconds[stage] = seconds : report.seconds[stage] += seconds;
  report.seconds["total"] = seconds_since(start_);
  return report;
}

}  // namespace backlit
