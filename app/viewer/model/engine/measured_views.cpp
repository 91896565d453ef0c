#include "model/engine/measured_views.hpp"

#include <backlit/core/error.hpp>
#include <backlit/device/resident_views.hpp>

namespace backlit::viewer {
namespace {

/// The views where they lie on the device already, as after corrections there; else memory for them.
ArrayPtr memory_for(Backend& backend, ProjectionSource& source, bool& there) {
  const std::int64_t views = source.scan().view_count();
  DeviceArray* const resident = resident_views(source, backend);
  there = resident != nullptr;
  return there ? backend.rows(*resident, 0, views) : backend.make_array(shape_of(source.scan().detector, views));
}

}  // namespace

MeasuredViews::MeasuredViews(Backend& backend, std::shared_ptr<ProjectionSource> source)
    : backend_(backend),
      source_(std::move(source)),
      arriving_(dynamic_cast<const ArrivedViews*>(source_.get())),
      array_(memory_for(backend, *source_, resident_)),
      loaded_(static_cast<std::size_t>(count()), resident_),
      left_(resident_ ? 0 : count()) {
  // Later steps take at least one view at a time.
  if (!backend.rows(*array_, 0, 1)) throw Failure("viewer", "the device cannot store the views");
}

void MeasuredViews::load(std::int64_t first, std::int64_t count) {
  const std::int64_t pixels = source_->scan().detector.pixels();
  for (std::int64_t end = first + count, i = first; i < end;) {
    std::int64_t next = i;
    while (next < end && !loaded_[static_cast<std::size_t>(next)]) ++next;
    if (next == i) {
      ++i;
      continue;
    }
    staging_.resize(static_cast<std::size_t>((next - i) * pixels));
    source_->read(i, next - i, staging_);
    for (std::int64_t v = i; v < next;) {
      // Large arrays lie in several textures: take as many views at a time as lie in one.
      std::int64_t n = next - v;
      ArrayPtr part = rows(v, n);
      for (; !part; part = rows(v, n)) n = (n + 1) / 2;
      backend_.upload(
          std::span(staging_).subspan(static_cast<std::size_t>((v - i) * pixels), static_cast<std::size_t>(n * pixels)),
          *part);
      v += n;
    }
    for (std::int64_t v = i; v < next; ++v) loaded_[static_cast<std::size_t>(v)] = true;
    left_ -= next - i;
    i = next;
  }
}

std::vector<float> MeasuredViews::host(std::int64_t view) {
  load(view, 1);
  std::vector<float> values(static_cast<std::size_t>(source_->scan().detector.pixels()));
  backend_.download(*rows(view, 1), values);
  return values;
}

}  // namespace backlit::viewer
