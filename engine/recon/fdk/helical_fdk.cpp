#include "recon/fdk/helical_fdk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/helix.hpp>
#include "device/shared_arrays.hpp"
#include "recon/operator_options.hpp"

namespace backlit {
namespace {

constexpr std::int64_t batch_views = 64;
constexpr int levels = 8;        ///< steps in which views fade out
constexpr double reach = 0.625;  ///< turns on either side of a slice whose views count in it

/// The number of rows beyond the detector that rays to the grid need, when the source is up to 5/8 of a turn away.
std::int64_t rows_beyond(const Scan& scan, const VolumeGrid& grid, double pitch) {
  const View& view = scan.views[0];
  const double distance = std::hypot(view.source.x, view.source.y), detector = detector_normal(view).distance;
  const Vec3 far = glm::max(glm::abs(grid.lower()), glm::abs(grid.upper()));
  const double nearest = std::max(distance - std::hypot(far.x, far.y), 0.05 * distance);
  const double rows = (reach * std::abs(pitch) + grid.spacing.z) * detector / nearest / std::abs(view.v.z);
  return std::clamp<std::int64_t>(std::llround(std::ceil(rows - 0.5 * static_cast<double>(scan.detector.rows))), 0,
                                  8 * scan.detector.rows);
}

/// One turn of the scan without its travel: a circle. Where spots jump before a curved detector, the source is at the
/// axis of its cylinder: the filter needs no more.
Scan flat_turn(const Scan& scan, std::int64_t views) {
  Scan turn{scan.detector, {scan.views.begin(), scan.views.begin() + views}};
  for (View& view : turn.views) {
    view.center.z -= view.source.z;
    view.source.z = 0;
    if (scan.detector.shape != Detector::Shape::curved || scan.detector.radius == 0) continue;
    view.source = view.center - scan.detector.radius * detector_normal(view).normal;
    view.source.z = 0;
  }
  turn.detector.radius = 0;
  return turn;
}

/// An array of the grid on the device; null where the device has no room for it beside the views, or the memory is
/// unknown.
ArrayPtr array_beside(Backend& backend, const VolumeGrid& grid, const Scan& scan) {
  const std::int64_t values = grid.voxels() + scan.view_count() * scan.detector.pixels();
  const std::int64_t memory = backend.capabilities().memory_bytes;
  if (memory == 0 || values * static_cast<std::int64_t>(sizeof(float)) > memory / 2) return nullptr;
  try {
    ArrayPtr array = backend.make_array(shape_of(grid));
    return backend.rows(*array, 0, 1) ? std::move(array) : nullptr;
  } catch (const Unsupported&) {  // more slices than a texture has layers
    return nullptr;
  }
}

}  // namespace

HelicalFdk::HelicalFdk(const ReconInput& input, const FilteredOptions& options)
    : backend_(own_device(input.backend, input.grid, input.source->scan())),
      source_(input.source),
      grid_(held_part(input.backend, input.grid)),
      slab_grid_(grid_),
      ct_(operator_options(options, Model::voxel_driven)),
      scan_(source_->scan()) {
  Backend& backend = backend_;
  const VolumeGrid& grid = grid_;
  FilterOptions filter = options.filter;
  const Helix helix = helix_of(scan_);
  turn_ = helix.turn;
  first_z_ = helix.first_z;
  travel_ = helix.travel;
  extra_rows_ = rows_beyond(scan_, grid, travel_ * static_cast<double>(turn_));
  scan_.detector.rows += 2 * extra_rows_;
  if (filter.redundancy == Redundancy::automatic) filter.redundancy = Redundancy::none;  // a turn has every ray twice
  filter_ = backend.make_filter(flat_turn(scan_, turn_), filter);
  views_ = views_of_slices();
  scan_.views = std::vector<View>(scan_.views.begin() + views_.first, scan_.views.begin() + views_.end());
  if (filter_->scan().detector.columns != scan_.detector.columns)
    throw Unsupported("helical", "displaced detectors are not completed here", "use `redundancy` none");
  ct_.weighting = Weighting::fdk;
  ct_.packing = Packing::none;
  slab_grid_.size[2] = 1;
  slab_grid_.center.z = grid.first_voxel().z;
  operator_ = backend.make_ct(slab_grid_, scan_, ct_);
  filtered_ = operator_->make_range(scan_.view_count());
  slab_ = operator_->make_domain();
  if (!backend.rows(*filtered_, 0, 1))
    throw Unsupported("helical", fmt::format("the {} backend keeps no views in parts", backend.name()),
                      "use `backend` cpu or cuda");
  volume_ = array_beside(backend, grid, scan_);
  if (!volume_) in_host_.emplace(grid);
}

std::int64_t HelicalFdk::view_at(double z, double side, double away) const {
  const double middle = travel_ != 0 ? (z - first_z_) / travel_ : 0;
  return static_cast<std::int64_t>(std::llround(middle + side * away * static_cast<double>(turn_)));
}

IndexRange HelicalFdk::views_of_slices() const {
  const double low = grid_.first_voxel().z, high = low + grid_.spacing.z * static_cast<double>(grid_.size[2] - 1);
  const auto [first, last] =
      std::minmax({view_at(low, -1, reach), view_at(low, 1, reach), view_at(high, -1, reach), view_at(high, 1, reach)});
  const std::int64_t from = std::clamp<std::int64_t>(first, 0, scan_.view_count() - 1);
  return {from, std::clamp(last, from + 1, scan_.view_count()) - from};
}

void HelicalFdk::filter_next() {
  const Detector& measured = source_->scan().detector;
  const std::int64_t next = views_.first + views_done_, in_turn = turn_ - next % turn_;
  const std::int64_t count = std::min({batch_views, in_turn, scan_.view_count() - views_done_});
  std::vector<float> host(static_cast<std::size_t>(count * measured.pixels())),
      rows(static_cast<std::size_t>(count * scan_.detector.pixels()));
  {
    Stopwatch watch(seconds_, "read");
    source_->read(next, count, host);
  }
  Stopwatch watch(seconds_, "filter");
  for (std::int64_t v = 0; v < count; ++v)
    for (std::int64_t r = 0; r < scan_.detector.rows; ++r) {
      const std::int64_t nearest = std::clamp<std::int64_t>(r - extra_rows_, 0, measured.rows - 1);
      std::copy_n(host.data() + (v * measured.rows + nearest) * measured.columns, measured.columns,
                  rows.data() + (v * scan_.detector.rows + r) * measured.columns);
    }
  filter_->run(next % turn_, rows, *backend_.rows(*filtered_, views_done_, count));
  backend_.finish();
  views_done_ += count;
}

void HelicalFdk::add(std::int64_t first, std::int64_t last) {
  first = std::max<std::int64_t>(first - views_.first, 0);
  last = std::min(last - views_.first, scan_.view_count());
  if (first < last) operator_->back(*filtered_, *slab_, {first, last - first, 1}, Write::accumulate);
}

// Adds views from the smallest weight to the largest. The sum so far is scaled to its weight relative to the next
// level.
void HelicalFdk::reconstruct_next() {
  Stopwatch watch(seconds_, "backproject");
  const double z = grid_.first_voxel().z + static_cast<double>(slices_done_) * grid_.spacing.z;
  if (slices_done_ > 0) {
    slab_grid_.center.z = z;
    operator_.reset();
    operator_ = backend_.make_ct(slab_grid_, scan_, ct_);
  }
  const auto edge = [&](int level, double side) {  // the inner end of views with weight (level - 1/2) / levels
    return view_at(z, side, reach - 0.25 * static_cast<double>(level) / levels);
  };
  const auto weight = [](int level) { return (static_cast<float>(level) - 0.5f) / levels; };
  backend_.fill(*slab_, 0);
  for (int level = 1; level <= levels; ++level) {
    add(edge(level - 1, -1), edge(level, -1));
    add(edge(level, 1), edge(level - 1, 1));
    backend_.scale(*slab_, weight(level) / (level < levels ? weight(level + 1) : 1.0f));
  }
  add(edge(levels, -1), edge(levels, 1));
  if (volume_) {
    backend_.copy(*slab_, *backend_.rows(*volume_, slices_done_, 1));
  } else {
    const auto slice = static_cast<std::size_t>(grid_.size[0] * grid_.size[1]);
    backend_.download(*slab_, in_host_->values.span().subspan(static_cast<std::size_t>(slices_done_) * slice, slice));
  }
  ++slices_done_;
}

Reconstruction::Status HelicalFdk::step() {
  if (slices_done_ == grid_.size[2]) return Status::finished;
  if (views_done_ < scan_.view_count())
    filter_next();
  else
    reconstruct_next();
  return slices_done_ == grid_.size[2] ? Status::finished : Status::more;
}

ReconProgress HelicalFdk::progress() const {
  if (views_done_ < scan_.view_count()) return {"filter", views_done_, scan_.view_count(), "views", 0};
  return {"backproject", slices_done_, grid_.size[2], "slices", 0};
}

void HelicalFdk::publish(DisplayVolume& display) {
  if (volume_) return display.publish(*volume_, grid_);
  const ArrayPtr shown = backend_.make_array(shape_of(grid_));
  backend_.upload(in_host_->values.span(), *shown);
  display.publish(*shown, grid_);
}

Volume HelicalFdk::download() {
  if (!volume_) return {grid_, in_host_->values.clone()};
  Volume result(grid_);
  backend_.download(*volume_, result.values.span());
  return result;
}

}  // namespace backlit
