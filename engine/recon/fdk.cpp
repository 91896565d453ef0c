#include "recon/fdk.hpp"

#include "core/error.hpp"
#include "recon/operator_options.hpp"

namespace backlit {
namespace {

constexpr std::int64_t least_batch = 4;
constexpr std::int64_t most_bytes = std::int64_t{256} << 20;  // of one batch

std::int64_t most_views(const Scan& scan) {
  const std::int64_t fit = most_bytes / (scan.detector.pixels() * static_cast<std::int64_t>(sizeof(float)));
  return std::clamp<std::int64_t>(fit, 1, scan.view_count());
}

}  // namespace

FdkReconstruction::FdkReconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source, const VolumeGrid& grid,
                                     const ReconOptions& options)
    : backend_(backend), source_(std::move(source)), grid_(grid), batch_(least_batch, most_views(source_->scan())) {
  const Scan& scan = source_->scan();
  CtOptions ct = operator_options(options, Model::voxel_driven);
  ct.weighting = Weighting::fdk;
  filter_ = backend.make_filter(scan, options.filter);
  operator_ = backend.make_ct(grid, filter_->scan(), ct);
  volume_ = operator_->make_domain();
  if (operator_->prefers_whole()) {
    whole_ = operator_->make_range(scan.view_count());
    if (!backend.rows(*whole_, 0, scan.view_count())) whole_.reset();
  }
}

Reconstruction::Status FdkReconstruction::step() {
  const std::int64_t total = source_->scan().view_count();
  if (done_ == total) return Status::finished;
  const std::int64_t count = std::min(batch_.size(), total - done_);
  if (whole_)
    filtered_ = backend_.rows(*whole_, done_, count);
  else if (!filtered_ || filtered_->shape().n2 != count)
    filtered_ = operator_->make_range(count);
  host_.resize(static_cast<std::size_t>(count * source_->scan().detector.pixels()));
  {
    Stopwatch watch(seconds_, "read");
    source_->read(done_, count, host_);
  }
  {
    Stopwatch watch(seconds_, "filter");
    filter_->run(done_, host_, *filtered_);
    backend_.finish();
  }
  Stopwatch watch(seconds_, "backproject");
  if (!whole_) operator_->back(*filtered_, *volume_, {done_, count, 1}, Write::accumulate);
  done_ += count;
  if (!whole_)
    in_volume_ = done_;
  else if (done_ == total)
    catch_up();
  backend_.finish();
  batch_.took(watch.elapsed());
  return done_ == total ? Status::finished : Status::more;
}

void FdkReconstruction::catch_up() {
  if (in_volume_ == done_) return;
  operator_->back(*backend_.rows(*whole_, 0, done_), *volume_, {0, done_, 1}, Write::overwrite);
  in_volume_ = done_;
}

void FdkReconstruction::publish(DisplayVolume& display) {
  catch_up();
  display.publish(*volume_, grid_);
}

ReconProgress FdkReconstruction::progress() const {
  return {"backproject", done_, source_->scan().view_count(), "views", 0};
}

Volume FdkReconstruction::download() {
  catch_up();
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  backend_.download(*volume_, volume.values.span());
  return volume;
}

}  // namespace backlit
