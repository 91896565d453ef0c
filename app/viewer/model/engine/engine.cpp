// All parts of the engine except running reconstructions (engine_runs.cpp).
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/actions/geometry_edit.hpp"
#include "model/engine/engine_parts.hpp"
#include "model/engine/reprojection.hpp"
#include "model/values/exports.hpp"
#include "model/values/point_sampler.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

constexpr double rest_seconds = 0.03;

/// Whether an order makes a planned run obsolete.
bool replaces_next(const Order& order) {
  if (const auto* control = std::get_if<order::Control>(&order)) return *control == order::Control::cancel;
  return std::holds_alternative<order::Open>(order) || std::holds_alternative<order::Watch>(order) ||
         std::holds_alternative<order::Run>(order);
}

}  // namespace

Engine::Engine(EngineOptions options)
    : options_(std::move(options)),
      gl_(options_.context, options_.memory_bytes),
      display_(*options_.display, options_.context),
      sampler_(std::make_unique<PointSampler>()),
      jobs_(gl_, options_.emit) {}

Engine::~Engine() { options_.context->make_current_or_none(); }

void Engine::obey(const Order& order, const CancelToken& cancel) {
  options_.context->make_current();
  waiting_ = false;  // the order may have added work
  if (replaces_next(order)) next_.reset();
  waiting_for_.clear();  // the order reports its own activity
  if (const auto* o = std::get_if<order::Open>(&order)) open(*o, cancel);
  if (const auto* o = std::get_if<order::Watch>(&order)) watch(o->from);
  if (const auto* o = std::get_if<order::Run>(&order)) start(*o, cancel);
  if (const auto* o = std::get_if<order::Control>(&order)) control(*o);
  if (const auto* o = std::get_if<order::FindCenter>(&order)) find_center(*o, cancel);
  if (std::holds_alternative<order::FindFaults>(order)) find_faults(cancel);
  if (const auto* o = std::get_if<order::Calibrate>(&order)) calibrate(*o, cancel);
  if (const auto* o = std::get_if<order::Pin>(&order)) pin(*o, cancel);
  if (const auto* o = std::get_if<order::CompareVolumes>(&order)) compare_volumes(*o, cancel);
  if (const auto* o = std::get_if<order::Register>(&order)) register_pinned(*o, cancel);
  if (const auto* o = std::get_if<order::ExportPinned>(&order)) export_pinned(*o, cancel);
  if (const auto* o = std::get_if<order::Segment>(&order)) segment(*o, cancel);
  if (const auto* o = std::get_if<order::ShowSegment>(&order)) show_segment(*o, cancel);
  if (const auto* o = std::get_if<order::Thickness>(&order)) thickness(*o, cancel);
  if (const auto* o = std::get_if<order::Denoise>(&order)) denoise(*o, cancel);
  if (const auto* o = std::get_if<order::Sinogram>(&order)) sinogram(*o);
  if (const auto* o = std::get_if<order::Preview>(&order)) preview(*o);
  if (const auto* o = std::get_if<order::Compare>(&order)) compare(o->view);
  if (const auto* o = std::get_if<order::ExportVolume>(&order)) export_volume(o->path, cancel);
  if (const auto* o = std::get_if<order::ExportSlice>(&order)) export_slice(*o);
  Activity activity(options_.emit);
  if (const auto* o = std::get_if<order::Slices>(&order); o && use_views(o->recon, o->geometry))
    jobs_.begin(*o, Watch(activity, cancel));
  if (const auto* o = std::get_if<order::Candidates>(&order);
      o && !o->geometries.empty() && use_views(o->recon, o->geometries.front()))
    jobs_.begin(*o, source_.info->scan);
  if (const auto* o = std::get_if<order::Oblique>(&order); o && use_views(o->recon, o->geometry))
    jobs_.begin(*o, Watch(activity, cancel));
  if (std::holds_alternative<order::D2vr>(order) && shown_run()) use_views_of(*shown_run());
  if (const auto* o = std::get_if<order::D2vr>(&order)) jobs_.begin(*o, Watch(activity, cancel));
}

void Engine::work(const CancelToken& cancel) {
  options_.context->make_current();
  if (next_) return start_next(cancel);
  waiting_ = !jobs_.busy() && !sinogram_ && !preview_asked_;
  if (feed_) poll_feed(cancel);
  if (run_ && !paused_) step_or_go_on(cancel);
  // Not every run gets a histogram when runs follow quickly: the histogram would take longer than the run.
  if (histogram_due_ && seconds_since(*histogram_due_) > rest_seconds) {
    histogram_due_.reset();
    make_histogram(!done_ || done_->complete);
  }
  work_on_pictures(cancel);
}

void Engine::work_on_pictures(const CancelToken& cancel) try {
  if (sinogram_) work_on_sinogram();
  if (preview_asked_) work_on_preview(cancel);
  if (!jobs_.busy()) return;
  Progress silent;
  jobs_.work(Watch(silent, cancel));
} catch (const Cancelled&) {  // what was asked for is made next time
  throw;
} catch (const std::exception& error) {
  jobs_.stop();
  sinogram_.reset();
  preview_asked_.reset();
  options_.emit(event::Warned{error.what()});
}

void Engine::step_or_go_on(const CancelToken& cancel) {
  try {
    step_run(cancel);
  } catch (const DeviceFailure& failure) {
    if (!run_) throw;
    go_on(run_->order, failure, cancel);
  }
}

void Engine::drop_plan() {
  if (!next_) return;
  next_->planned_after = nullptr;
  next_->reconstruction.reset();
}

void Engine::give_up() {
  drop_plan();
  if (run_) end_run(false, true);
}

void Engine::replace_source(Source next) {
  next_.reset();
  run_.reset();
  done_.reset();
  histogram_due_.reset();
  measured_.reset();
  list_runs_.forget();
  jobs_.forget();
  sinogram_.reset();
  preview_asked_.reset();
  previewer_.reset();
  denoised_.reset();
  paused_ = shows_ = false;
  source_ = std::move(next);
  options_.emit(event::Opened{source_.info});
  if (source_.session) options_.emit(event::Reported{std::make_shared<SessionReport>(source_.session->report())});
}

void Engine::open(const order::Open& order, const CancelToken& cancel) {
  Activity activity(options_.emit);
  Source next = open_source(order.path, order.pet, Watch(activity, cancel), order.pixel,
                            order.slices);  // on an error, the old source stays
  feed_.reset();
  arrived_.reset();
  replace_source(std::move(next));
  if (!source_.volume) return;
  if (!options_.gate->wait_to_overwrite(display_.generation() - 1, [&] { return cancel.requested(); })) return;
  display_.publish(source_.volume->values.span(), source_.volume->grid);
  options_.emit(event::Published{display_.generation(), source_.volume->grid, true});
  make_histogram(true);
}

void Engine::watch(const std::string& from) {
  feed_.reset();  // first: only one socket can listen at an address
  waiting_for_.clear();
  if (!from.empty()) feed_ = stream::open_feed(from);
  if (!feed_) options_.emit(event::Activity{});
}

void Engine::take_scan(const ScanFile& file) {
  arrived_ = std::make_shared<ArrivedViews>(file.scan);
  ScanFile arriving = file;
  arriving.projections = arrived_;
  arriving.kind = ScanFile::Kind::line_integrals;
  Source source = source_of(std::make_shared<Session>(std::move(arriving)));
  auto info = std::make_shared<SourceInfo>(*source.info);
  info->arriving = true;
  source.info = info;
  replace_source(std::move(source));
}

void Engine::poll_feed(const CancelToken&) {
  const bool known = feed_->scan() != nullptr;
  const auto views = feed_->poll();
  for (const std::string& note : feed_->take_notes()) options_.emit(event::Warned{note});
  if (!known && feed_->scan()) take_scan(*feed_->scan());
  for (const auto& view : views) arrived_->put(view.index, view.values);
  if (!views.empty()) waiting_ = false;
  if (feed_->scan() && (arrived_->missing() == 0 || feed_->ended())) {
    feed_.reset();
    options_.emit(event::Activity{});
    return;
  }
  if (const std::string text = feed_->waiting_for(); text != waiting_for_ || !views.empty()) {
    const std::int64_t count = arrived_ ? arrived_->scan().view_count() : 0;
    options_.emit(event::Activity{waiting_for_ = text, arrived_ ? count - arrived_->missing() : 0, count, "views"});
  }
}

void Engine::control(order::Control what) {
  using order::Control;
  if (!run_) {
    if (next_ && (what == Control::pause || what == Control::resume)) paused_ = what == Control::pause;
    if (what == Control::cancel) options_.emit(event::Finished{false, true});
    if (what == Control::step && done_) throw InputError("step", "the reconstruction is finished", "start another");
    return;
  }
  if (what == Control::pause || what == Control::step) run_->held_up = true;
  if (what == Control::pause) set_paused(true);
  if (what == Control::resume) {
    one_step_ = false;
    set_paused(false);
  }
  if (what == Control::step) {
    paused_ = false;
    one_step_ = true;
  }
  if (what == Control::cancel) {
    // The volume shown must equal the one that is exported and reprojected.
    CancelToken none;
    if (run_->published && !run_->list && run_->views > run_->published_views) publish(false, none);
    end_run(false, true);
  }
  if (what == Control::finish) {
    CancelToken none;
    publish(true, none);
    end_run(false, false);
  }
}

void Engine::make_histogram(bool final, std::int64_t samples) {
  last_histogram_ = Clock::now();
  if (final) histogram_due_.reset();
  const auto front = options_.display->front();
  if (!front.tiles) return;
  options_.emit(event::HistogramMade{sampled_histogram(*sampler_, front, samples), final});
}

void Engine::correct_views(const CorrectionOptions& corrections, const std::string& where, const Watch& watch) {
  if (!source_.views()) throw InputError(where, "there are no projections", "open a scan");
  if (arrived_ && arrived_->missing() > 0)
    throw InputError(where, "the scan is still being measured", "wait until all views have arrived");
  SessionOptions options = source_.session->options();
  options.preparation.corrections = corrections;
  source_.session->change(options, watch);
}

void Engine::calibrate(const order::Calibrate& order, const CancelToken& cancel) {
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  CalibrationOptions options;
  options.curves = true;
  event::Calibrated made;
  try {
    correct_views(order.corrections, "calibrate", watch);
    made.found = std::make_shared<const Calibration>(backlit::calibrate(*source_.views(), options, watch));
  } catch (const Cancelled&) {
  } catch (const InputError& error) {
    options_.emit(event::Warned{error.what()});
  }
  options_.emit(made);
}

void Engine::find_center(const order::FindCenter& order, const CancelToken& cancel) {
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  try {
    correct_views(order.corrections, "find center", watch);
    const CenterEstimate& found = source_.session->found_center(watch);
    options_.emit(event::CenterFound{found.center_px, found.method, order.opening});
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    if (!order.opening) throw;
    options_.emit(event::CenterFound{NAN, "", true});
  }
}

void Engine::find_faults(const CancelToken& cancel) {
  if (!source_.session || !source_.session->uncorrected()) return;
  Activity activity(options_.emit);
  event::FaultsFound made;
  try {
    const ScanFile& file = source_.session->file();
    made.found =
        choose_corrections(*source_.session->uncorrected(), {file.flats, file.darks, {}}, Watch(activity, cancel));
  } catch (const Cancelled&) {  // by a run, say: they are looked for after it
  }
  options_.emit(made);
}

bool Engine::use_views(const ReconState& recon, const GeometryState& geometry) {
  const bool prepared = source_.views() && source_.session->options().preparation.corrections == recon.corrections;
  if (source_.views() && !prepared) return false;  // the next run prepares them
  jobs_.set_views(source_.views(), adjusted(source_.info->scan, geometry), slice_filter(method_of(recon)),
                  display_.grid());
  return true;
}

void Engine::use_views_of(const RunState& run) {
  if (!run.list) jobs_.set_views(source_.views(), run.scan, slice_filter(method_of(run.order.recon)), run.grid);
}

void Engine::compare(std::int64_t view) {
  RunState* run = shown_run();
  if (!run) throw InputError("projection", "there is no reconstruction to reproject", "reconstruct first");
  if (view < 0 || view >= run->scan.view_count())
    throw InputError("projection", fmt::format("there is no view {}", view),
                     fmt::format("the scan has {}", run->scan.view_count()));
  const auto pixels = static_cast<std::size_t>(run->scan.detector.pixels());
  std::vector<float> measured(pixels);
  source_.views()->read(view, 1, measured);
  options_.emit(event::Compared{std::make_shared<const ViewComparison>(
      compare_view(*run->backend, *run->reconstruction, run->scan, view, std::move(measured)))});
}

void Engine::sinogram(const order::Sinogram& order) {
  if (!source_.views()) throw InputError("sinogram", "there are no projections", "open a scan");
  sinogram_.emplace(source_.views(), order.row);
}

void Engine::work_on_sinogram() {
  if (!sinogram_->step()) return;
  options_.emit(event::SinogramMade{sinogram_->made()});
  sinogram_.reset();
}

void Engine::preview(const order::Preview& order) {
  const auto views = source_.session ? source_.session->uncorrected() : nullptr;
  if (!views) throw InputError("preview", "there are no projections", "open a scan");
  const PreviewPart part = order.sinogram ? PreviewPart::sinogram : PreviewPart::view;
  if (!previewer_ || !previewer_->is_of(views, part, order.number))
    previewer_.emplace(views, source_.session->file(), part, order.number);
  preview_asked_ = order;
}

void Engine::work_on_preview(const CancelToken& cancel) {
  if (!previewer_->step()) return;
  Progress silent;
  const CorrectionOptions asked = preview_asked_->corrections;
  auto made = std::make_shared<CorrectionPreview>();
  try {
    *made = previewer_->corrected(asked, Watch(silent, cancel));
  } catch (const InputError& error) {  // a parameter is still missing
    *made = previewer_->corrected({}, Watch(silent, cancel));
    made->done = error.what();
  }
  preview_asked_.reset();
  options_.emit(event::Previewed{made});
}

Volume Engine::shown_volume() {
  if (denoised_) return {denoised_->grid, denoised_->values.clone()};
  return made_volume();
}

Volume Engine::made_volume() {
  if (source_.volume) return {source_.volume->grid, source_.volume->values.clone()};
  RunState* run = shown_run();
  if (!run) throw InputError("export", "there is no volume yet", "open or reconstruct one");
  Volume volume;
  with_volume(*run->reconstruction, [&](const DeviceArray& array, const VolumeGrid& grid) {
    volume = Volume(grid);
    run->backend->download(array, volume.values.span());
  });
  if (volume.values.empty()) throw InputError("export", "the volume is not ready", "wait until it has been computed");
  return volume;
}

void Engine::export_volume(const std::string& path, const CancelToken& cancel) {
  Activity activity(options_.emit);
  save_volume(shown_volume(), path, Watch(activity, cancel));
  options_.emit(event::Exported{path});
}

void Engine::export_slice(const order::ExportSlice& order) {
  save_slice(extract_slice(shown_volume(), order.axis, order.position), order);
  options_.emit(event::Exported{order.path});
}

}  // namespace backlit::viewer
