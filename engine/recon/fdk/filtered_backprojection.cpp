#include "recon/fdk/filtered_backprojection.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{256} << 20;  // of one batch, unless four views are larger

std::int64_t views_that_fit(const Detector& d) {
  return most_bytes / (d.pixels() * static_cast<std::int64_t>(sizeof(float)));
}

}  // namespace

FilteredBackprojection::FilteredBackprojection(Backend& backend, const Scan& scan, const VolumeGrid& grid, CtOptions ct,
                                               const FilterOptions& filter, StageSeconds& seconds)
    : backend_(backend),
      scan_(scan),
      seconds_(seconds),
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

void FilteredBackprojection::add(std::span<const float> views) {
  const std::int64_t count = static_cast<std::int64_t>(views.size()) / scan_.detector.pixels();
  if (whole_)
    filtered_ = backend_.rows(*whole_, done_, count);
  else if (!filtered_ || filtered_->shape().n2 != count)
    filtered_ = operator_->make_range(count);
  {
    Stopwatch watch(seconds_, "filter");
    filter_->run(done_, views, *filtered_);
    backend_.finish();
  }
  Stopwatch watch(seconds_, "backproject");
  if (!whole_) operator_->back(*filtered_, *volume_, {done_, count, 1}, Write::accumulate);
  done_ += count;
  if (!whole_)
    in_volume_ = done_;
  else if (complete())
    catch_up();
  backend_.finish();
  batch_.took(watch.elapsed());
}

void FilteredBackprojection::catch_up() {
  if (in_volume_ == done_) return;
  operator_->back(*backend_.rows(*whole_, 0, done_), *volume_, {0, done_, 1}, Write::overwrite);
  in_volume_ = done_;
}

void FilteredBackprojection::restart() {
  backend_.fill(*volume_, 0);
  done_ = in_volume_ = 0;
}

DeviceArray& FilteredBackprojection::volume() {
  catch_up();
  return *volume_;
}

}  // namespace backlit
