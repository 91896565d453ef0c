#include "recon/fdk/filtered_backprojection.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{256} << 20;  // of one batch, unless four views are larger

std::int64_t views_that_fit(const Detector& d) {
  return most_bytes / (d.pixels() * static_cast<std::int64_t>(sizeof(float)));
}

}  // namespace

FilteredBackprojection::FilteredBackprojection(Backend& backend, const Scan& scan, const VolumeGrid& grid, CtOptions ct,
                                               const FilterOptions& filter, StageSeconds& seconds, Timeline* spans)
    : backend_(backend),
      scan_(scan),
      seconds_(seconds),
      spans_(spans),
      batch_(least_batch, std::max(least_batch, views_that_fit(scan.detector))) {
  ct.weighting = Weighting::fdk;
  filter_ = backend.make_filter(scan, filter);
  operator_ = backend.make_ct(grid, filter_->scan(), ct);
  volume_ = operator_->make_domain();
  if (operator_->prefers_whole()) {
    whole_ = operator_->make_range(scan.view_count());
    if (!backend.rows(*whole_, 0, scan.view_count())) whole_.reset();
  }
}

bool FilteredBackprojection::in_slabs() const {
  const auto* const slabs = dynamic_cast<const Slabwise*>(operator_.get());
  return slabs && slabs->in_slabs(*volume_);
}

std::int64_t FilteredBackprojection::slab_slices() const {
  const auto* const slabs = dynamic_cast<const Slabwise*>(operator_.get());
  return slabs && in_volume_ < done_ ? slabs->slab_slices(*volume_) : 0;
}

void FilteredBackprojection::add(std::span<const float> views) {
  const std::int64_t count = static_cast<std::int64_t>(views.size()) / scan_.detector.pixels();
  if (whole_)
    filtered_ = backend_.rows(*whole_, done_, count);
  else if (!filtered_ || filtered_->shape().n2 != count)
    filtered_ = operator_->make_range(count);
  {
    const TimedSpan span(seconds_, spans_, "filter", done_, count, "views");
    filter_->run(done_, views, *filtered_);
    backend_.finish();
  }
  const std::int64_t first = std::exchange(done_, done_ + count);
  if (whole_ ? !complete() || in_slabs() : complete() && in_slabs()) return batch_.took(0);  // done later
  const TimedSpan span(seconds_, spans_, "backproject", whole_ ? 0 : first, whole_ ? done_ : count, "views");
  if (whole_)
    catch_up();
  else
    operator_->back(*filtered_, *volume_, {first, count, 1}, Write::accumulate);
  in_volume_ = done_;
  backend_.finish();
  batch_.took(span.elapsed());
}

void FilteredBackprojection::catch_up() {
  if (in_volume_ == done_) return;
  if (complete() && in_slabs()) return finish_slices(-1);
  operator_->back(*backend_.rows(*whole_, 0, done_), *volume_, {0, done_, 1}, Write::overwrite);
  in_volume_ = done_;
}

void FilteredBackprojection::finish_slices(std::int64_t end) {
  auto* const slabs = dynamic_cast<Slabwise*>(operator_.get());
  while (in_volume_ < done_ && (end < 0 || finished_ < end)) {
    const TimedSpan span(seconds_, spans_, "backproject", finished_, slabs->slab_slices(*volume_), "slices");
    if (whole_)
      finished_ =
          slabs->back_slab(*backend_.rows(*whole_, 0, done_), *volume_, {0, done_, 1}, Write::overwrite, finished_);
    else
      finished_ =
          slabs->back_slab(*filtered_, *volume_, {in_volume_, done_ - in_volume_, 1}, Write::accumulate, finished_);
    backend_.finish();
    if (finished_ == 0) in_volume_ = done_;
  }
}

void FilteredBackprojection::restart() {
  backend_.fill(*volume_, 0);
  done_ = in_volume_ = finished_ = 0;
}

DeviceArray& FilteredBackprojection::volume() {
  catch_up();
  return *volume_;
}

}  // namespace backlit
