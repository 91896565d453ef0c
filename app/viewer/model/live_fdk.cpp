#include "model/live_fdk.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "recon/operator_options.hpp"

namespace backlit::viewer {
namespace {

/// Orbits need all four quarter-turn views; packed slices take views one by one.
std::unique_ptr<LinearOperator> view_by_view(Backend& backend, const VolumeGrid& grid, const Scan& scan, CtOptions ct) {
  if (ct.packing != Packing::automatic) return backend.make_ct(grid, scan, ct);
  try {
    ct.packing = Packing::slices;
    return backend.make_ct(grid, scan, ct);
  } catch (const Unsupported&) {
    ct.packing = Packing::none;
    return backend.make_ct(grid, scan, ct);
  }
}

}  // namespace

LiveFdk::LiveFdk(MeasuredViews& measured, const Scan& scan, const VolumeGrid& grid, const ReconOptions& options,
                 std::int64_t batch, bool at_once)
    : measured_(measured),
      backend_(measured.backend()),
      grid_(grid),
      batch_(std::max<std::int64_t>(1, batch)),
      at_once_(at_once) {
  CtOptions ct = operator_options(options, Model::voxel_driven);
  ct.weighting = Weighting::fdk;
  filter_ = backend_.make_filter(scan, options.filter);
  operator_ = at_once ? backend_.make_ct(grid, filter_->scan(), ct) : view_by_view(backend_, grid, filter_->scan(), ct);
  volume_ = operator_->make_domain();
}

void LiveFdk::filter(std::int64_t first, std::int64_t count, DeviceArray& out) {
  Stopwatch watch(seconds_, "filter");
  const ArrayPtr views = measured_.rows(first, count);
  filter_->run_on_device(first, *views, out);
}

void LiveFdk::add(std::int64_t first, std::int64_t count) {
  while (count > 0) {
    std::int64_t n = std::min(count, batch_);
    while (!measured_.rows(first, n)) n = (n + 1) / 2;
    {
      Stopwatch watch(seconds_, "read");
      measured_.load(first, n);
    }
    if (!filtered_ || filtered_->shape().n2 != n) filtered_ = operator_->make_range(n);
    filter(first, n, *filtered_);
    Stopwatch watch(seconds_, "backproject");
    operator_->back(*filtered_, *volume_, {first, n, 1}, Write::accumulate);
    done_ += n;
    first += n;
    count -= n;
  }
}

void LiveFdk::everything() {
  const std::int64_t count = measured_.count();
  {
    Stopwatch watch(seconds_, "read");
    measured_.load(0, count);
  }
  filtered_ = operator_->make_range(count);
  {
    Stopwatch watch(seconds_, "filter");
    filter_->run_on_device(0, measured_.all(), *filtered_);
  }
  Stopwatch watch(seconds_, "backproject");
  operator_->back(*filtered_, *volume_, operator_->all(), Write::overwrite);
  done_ = count;
}

Reconstruction::Status LiveFdk::step() {
  if (done_ >= measured_.count()) return Status::finished;
  if (at_once_)
    everything();
  else
    add(done_, std::min(batch_, measured_.count() - done_));
  backend_.finish();
  return done_ >= measured_.count() ? Status::finished : Status::more;
}

Volume LiveFdk::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  backend_.download(*volume_, volume.values.span());
  return volume;
}

}  // namespace backlit::viewer
