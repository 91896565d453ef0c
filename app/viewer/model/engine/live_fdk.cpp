#include "model/engine/live_fdk.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "recon/operator_options.hpp"

namespace backlit::viewer {
namespace {

/// Disables packing. Orbits need all four quarter-turn views, and packed slices are unpacked after each call. With few
/// views a call, unpacking takes longer than the views.
CtOptions view_by_view(CtOptions ct) {
  if (ct.packing == Packing::automatic) ct.packing = Packing::none;
  return ct;
}

/// First views of groups, in an order that halves the gaps between them again and again (of reversed bits).
std::vector<std::int64_t> spread(std::int64_t views, std::int64_t group) {
  const auto groups = static_cast<std::uint64_t>((views + group - 1) / group);
  const int bits = std::bit_width(groups > 0 ? groups - 1 : 0);
  std::vector<std::int64_t> order;
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << bits); ++i) {
    std::uint64_t reversed = 0;
    for (int b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
    if (reversed < groups) order.push_back(static_cast<std::int64_t>(reversed) * group);
  }
  return order;
}

}  // namespace

LiveFdk::LiveFdk(MeasuredViews& measured, const Scan& scan, const VolumeGrid& grid, const FdkOptions& options,
                 std::int64_t batch, bool at_once, LiveFdk* previous)
    : measured_(measured),
      backend_(measured.backend()),
      grid_(grid),
      count_(measured.count()),
      filter_(backend_.make_filter(scan, options.filter)),
      previous_(at_once ? previous : nullptr),
      group_(std::clamp<std::int64_t>(count_ / 16, 1, std::max<std::int64_t>(1, batch))),
      groups_(spread(count_, group_)),
      added_(static_cast<std::size_t>(measured.count())),
      batch_(std::max<std::int64_t>(1, batch)),
      at_once_(at_once) {
  ct_ = operator_options(options, Model::voxel_driven);
  ct_.weighting = Weighting::fdk;
  const Scan& seen = filter_->scan();
  if (!previous_ || !previous_->plans(grid, seen, ct_))
    operator_ = backend_.make_ct(grid, seen, at_once_ ? ct_ : view_by_view(ct_));
}

void LiveFdk::begin() {
  LiveFdk* const last = std::exchange(previous_, nullptr);
  if (!operator_) operator_ = std::move(last->operator_);
  if (last && last->volume_ && last->volume_->shape() == shape_of(grid_)) volume_ = std::move(last->volume_);
  if (last && last->filtered_ && last->filtered_->shape() == shape_of(filter_->scan().detector, measured_.count()))
    filtered_ = std::move(last->filtered_);
  if (!volume_) volume_ = operator_->make_domain();
  if (last) last->volume_.reset();  // a volume of another grid: frees memory for what is still to be allocated
}

bool LiveFdk::plans(const VolumeGrid& grid, const Scan& seen, const CtOptions& ct) const {
  const Scan& mine = filter_->scan();
  return at_once_ && operator_ && grid_ == grid && ct_ == ct && mine.detector == seen.detector &&
         mine.views == seen.views;
}

void LiveFdk::filter(std::int64_t first, std::int64_t count, DeviceArray& out) {
  Stopwatch watch(seconds_, "filter");
  const ArrayPtr views = measured_.rows(first, count);
  filter_->run_on_device(first, *views, out);
}

LiveFdk::Run LiveFdk::next_views() const {
  const auto wanted = [&](std::int64_t i) { return !added_[static_cast<std::size_t>(i)] && measured_.available(i); };
  const std::int64_t most = std::min(batch_ - done_ % batch_, views_a_step_);
  for (const std::int64_t group : groups_) {
    const std::int64_t end = std::min(group + group_, count_);
    Run run{group, 0};
    while (run.first < end && !wanted(run.first)) ++run.first;
    while (run.count < most && run.first + run.count < end && wanted(run.first + run.count)) ++run.count;
    if (run.count > 0) return run;
  }
  return {0, 0};
}

void LiveFdk::add(const Run& run) {
  {
    Stopwatch watch(seconds_, "read");
    measured_.load(run.first, run.count);
  }
  for (std::int64_t first = run.first, left = run.count; left > 0;) {
    std::int64_t n = left;  // views that lie in one texture
    while (!measured_.rows(first, n)) n = (n + 1) / 2;
    if (!filtered_ || filtered_->shape().n2 != n) filtered_ = operator_->make_range(n);
    filter(first, n, *filtered_);
    Stopwatch watch(seconds_, "backproject");
    operator_->back(*filtered_, *volume_, {first, n, 1}, Write::accumulate);
    std::fill_n(added_.begin() + first, n, true);
    done_ += n;
    first += n;
    left -= n;
  }
}

void LiveFdk::publish(DisplayVolume& display) {
  if (done_ == 0 || done_ == count_) {
    scaled_.reset();
    return display.publish(*volume_, grid_);
  }
  if (!scaled_) scaled_ = backend_.make_like(*volume_);
  backend_.copy(*volume_, *scaled_);
  backend_.scale(*scaled_, static_cast<float>(count_) / static_cast<float>(done_));
  display.publish(*scaled_, grid_);
}

void LiveFdk::everything() {
  const std::int64_t count = measured_.count();
  {
    Stopwatch watch(seconds_, "read");
    measured_.load(0, count);
  }
  if (!filtered_) filtered_ = operator_->make_range(count);
  {
    Stopwatch watch(seconds_, "filter");
    filter_->run_on_device(0, measured_.all(), *filtered_);
    backend_.finish();  // so that the time of each stage is known
  }
  Stopwatch watch(seconds_, "backproject");
  operator_->back(*filtered_, *volume_, operator_->all(), Write::overwrite);
  if (meanwhile_) meanwhile_();
  backend_.finish();
  done_ = count;
}

Reconstruction::Status LiveFdk::step() {
  if (done_ >= measured_.count()) return Status::finished;
  const double before = work_seconds();
  const Run run = at_once_ ? Run{0, count_} : next_views();
  {
    Stopwatch watch(seconds_, "step");
    if (at_once_)
      everything();
    else
      add(run);
    backend_.finish();
  }
  // Long enough to be efficient, short enough to react to orders. Grows slowly, since first steps take longer.
  if (const double seconds = work_seconds() - before; run.count == views_a_step_)
    views_a_step_ = std::max<std::int64_t>(1, seconds < 0.5 * step_seconds_ ? 2 * run.count
                                              : seconds > step_seconds_     ? run.count / 2
                                                                            : run.count);
  return done_ >= measured_.count() ? Status::finished : Status::more;
}

double LiveFdk::work_seconds() const {
  const auto of = [&](const char* stage) { return seconds_.contains(stage) ? seconds_.at(stage) : 0; };
  return of("step") - of("read");
}

Volume LiveFdk::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  backend_.download(*volume_, volume.values.span());
  const float missing = done_ > 0 ? static_cast<float>(count_) / static_cast<float>(done_) : 1;
  if (missing != 1)
    for (float& v : volume.values) v *= missing;
  return volume;
}

}  // namespace backlit::viewer
