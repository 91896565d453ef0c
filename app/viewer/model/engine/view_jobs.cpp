#include "model/engine/view_jobs.hpp"

#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include "model/actions/geometry_edit.hpp"
#include "render/gl/finisher.hpp"

namespace backlit::viewer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Rows in a step: with eight steps for each refinement the worker reacts to orders even on slow devices.
std::int64_t rows_of(std::int64_t height) { return (height + 7) / 8; }

}  // namespace

FilterOptions slice_filter(const Method& method) {
  if (const auto* const filtered = method.get<FilteredOptions>()) return filtered->filter;
  const auto* const iterations = method.get<IterationOptions>();
  return iterations ? iterations->filter : FilterOptions{};
}

void ViewJobs::set_views(std::shared_ptr<ProjectionSource> views, Scan scan, FilterOptions filter, VolumeGrid region) {
  const bool as_before =
      views == source_ && scan.detector == scan_.detector && scan.views == scan_.views && filter == filter_;
  if (!as_before)
    forget();
  else if (!(region == region_)) {
    picture_.reset();
    d2vr_.reset();
  }
  source_ = std::move(views);
  scan_ = std::move(scan);
  filter_ = std::move(filter);
  region_ = region;
}

void ViewJobs::forget() {
  candidates_.reset();
  picture_.reset();
  d2vr_.reset();
  slicer_.reset();
  views_.reset();
  source_.reset();
}

void ViewJobs::prepare(const Watch& watch) {
  if (!source_) throw InputError("slice", "there are no projections", "open a scan");
  if (views_) return;
  PlacedViews placed(source_, scan_);
  const auto filter = backend_.make_filter(scan_, filter_);
  views_ = std::make_unique<gl::ResidentViews>(
      gl::load_resident_views(backend_, placed, *filter, {Precision::fast, true}, watch));
}

JobPicture ViewJobs::slice(const CutPlane& plane, std::uint64_t serial) {
  const auto start = Clock::now();
  plane.check("slice");
  if (!slicer_) slicer_ = std::make_unique<gl::ViewSlicer>(backend_, *views_);
  JobPicture picture;
  picture.serial = serial;
  picture.plane = plane;
  picture.texture = gl::Texture("slice from projections", GL_TEXTURE_2D, GL_R32F, plane.width, plane.height);
  slicer_->render(plane, picture.texture);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  picture.ready = gl::Fence::here();
  backend_.finish();
  picture.seconds = seconds_since(start);
  return picture;
}

void ViewJobs::begin(const order::Slices& order, const Watch& watch) {
  prepare(watch);
  auto pictures = std::make_shared<std::vector<JobPicture>>();
  for (const CutPlane& plane : order.planes) pictures->push_back(slice(plane, order.serial));
  emit_(event::SlicesMade{std::move(pictures)});
}

void ViewJobs::begin(const order::Oblique& order, const Watch& watch) {
  prepare(watch);
  emit_(event::ObliqueMade{std::make_shared<const JobPicture>(slice(order.plane, order.serial))});
}

void ViewJobs::begin(const order::Candidates& order, Scan scan) {
  order.plane.check("slice");
  if (order.geometries.empty()) return;
  candidates_ = Candidates{order, std::move(scan)};
}

void ViewJobs::begin(const order::D2vr& order, const Watch& watch) {
  prepare(watch);
  if (!d2vr_) d2vr_ = std::make_unique<gl::D2vr>(backend_, *views_, region_);
  if (found_.width() != order.camera.width || found_.height() != order.camera.height)
    found_ = gl::make_found(order.camera.width, order.camera.height);
  d2vr_->begin(order.camera, order.options, order.classifier);
  picture_ = Picture{order, 0, Clock::now()};
}

void ViewJobs::work(const Watch& watch) {
  if (candidates_) return work_on_candidates(watch);
  work_on_picture();
}

void ViewJobs::work_on_candidates(const Watch& watch) {
  Candidates job = *std::exchange(candidates_, std::nullopt);  // set_views() forgets it
  const order::Candidates& o = job.order;
  try {
    set_views(source_, adjusted(job.scan, o.geometries[job.next]), slice_filter(method_of(o.recon)), region_);
    prepare(watch);
    emit_(event::CandidateMade{job.next, o.geometries.size(),
                               std::make_shared<const JobPicture>(slice(o.plane, o.serial))});
  } catch (const Cancelled&) {  // it is made the next time
    candidates_ = std::move(job);
    throw;
  } catch (const InputError& error) {  // a value that no scan can have: its place stays empty
    emit_(event::Warned{error.what()});
  }
  if (++job.next < o.geometries.size()) candidates_ = std::move(job);
}

void ViewJobs::work_on_picture() {
  const std::int64_t height = picture_->order.camera.height, rows = rows_of(height);
  const bool more = d2vr_->step(found_, rows);
  backend_.finish();
  if (!more) {
    picture_.reset();
    return;
  }
  picture_->row += rows;
  if (picture_->row < height) return;
  picture_->row = 0;
  emit_found(*picture_);
}

void ViewJobs::emit_found(const Picture& p) {
  auto made = std::make_shared<JobPicture>();
  made->serial = p.order.serial;
  made->texture = gl::make_found(found_.width(), found_.height());
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glCopyImageSubData(found_.id(), GL_TEXTURE_2D, 0, 0, 0, 0, made->texture.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     static_cast<GLsizei>(found_.width()), static_cast<GLsizei>(found_.height()), 1);
  made->ready = gl::Fence::here();
  made->refinement = d2vr_->refinement();
  made->seconds = seconds_since(p.start);
  emit_(event::D2vrMade{made});
}

}  // namespace backlit::viewer
