#include "recon/fdk/helical_fdk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "device/shared_arrays.hpp"
#include "recon/operator_options.hpp"

namespace backlit {
namespace {

constexpr std::int64_t batch_views = 64;
constexpr int levels = 8;  ///< in which views fade out

/// Views that a turn has. Throws unless all views lie on one helix in equal steps.
std::int64_t views_of_turn(const Scan& scan) {
  const auto fail = [](const std::string& problem) {
    throw InputError("helical", problem, "use an iterative method, or `method` fdk for circles");
  };
  if (scan.beam() != Beam::cone || scan.view_count() < 3) fail("this takes cone beams, and at least three views");
  const auto angle = [&](std::size_t i) { return std::atan2(scan.views[i].source.y, scan.views[i].source.x); };
  const double step = std::remainder(angle(1) - angle(0), 2 * pi);
  const double rise = scan.views[1].source.z - scan.views[0].source.z;
  for (std::size_t i = 1; i < scan.views.size(); ++i) {
    const View &a = scan.views[i - 1], &b = scan.views[i];
    const double turned = std::remainder(angle(i) - angle(i - 1), 2 * pi);
    if (std::abs(turned - step) > 1e-6 || std::abs(b.source.z - a.source.z - rise) > 1e-6 * glm::length(b.source) ||
        std::abs(b.center.z - a.center.z - rise) > 1e-6 * glm::length(b.source))
      fail(fmt::format("view {} leaves the helix of the views before it", i));
  }
  const double turn = 2 * pi / std::abs(step);
  const auto views = static_cast<std::int64_t>(std::llround(turn));
  if (std::abs(turn - static_cast<double>(views)) > 1e-4) fail(fmt::format("a turn has {:.3f} views", turn));
  if (scan.view_count() < views) fail("there is less than a turn");
  return views;
}

/// Rows that rays to the grid need beyond the detector's own, when the source is up to 5/8 of a turn away.
std::int64_t rows_beyond(const Scan& scan, const VolumeGrid& grid, double pitch) {
  const View& view = scan.views[0];
  const double distance = std::hypot(view.source.x, view.source.y), detector = detector_normal(view).distance;
  const Vec3 far = glm::max(glm::abs(grid.lower()), glm::abs(grid.upper()));
  const double nearest = std::max(distance - std::hypot(far.x, far.y), 0.05 * distance);
  const double reach = (0.625 * std::abs(pitch) + grid.spacing.z) * detector / nearest / std::abs(view.v.z);
  return std::clamp<std::int64_t>(std::llround(std::ceil(reach - 0.5 * static_cast<double>(scan.detector.rows))), 0,
                                  8 * scan.detector.rows);
}

/// One turn of the scan without its travel: a circle.
Scan flat_turn(const Scan& scan, std::int64_t views) {
  Scan turn{scan.detector, {scan.views.begin(), scan.views.begin() + views}};
  for (View& view : turn.views) {
    view.center.z -= view.source.z;
    view.source.z = 0;
  }
  return turn;
}

/// An array of the grid on the device; null where it has no room for one beside the views, or nobody knows.
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
    : backend_(input.backend),
      source_(input.source),
      grid_(input.grid),
      slab_grid_(input.grid),
      ct_(operator_options(options, Model::voxel_driven)),
      scan_(source_->scan()) {
  require_one_process(backend_, "hfdk");
  Backend& backend = backend_;
  const VolumeGrid& grid = grid_;
  FilterOptions filter = options.filter;
  turn_ = views_of_turn(scan_);
  first_z_ = scan_.views[0].source.z;
  travel_ = scan_.views[1].source.z - first_z_;
  extra_rows_ = rows_beyond(scan_, grid, travel_ * static_cast<double>(turn_));
  scan_.detector.rows += 2 * extra_rows_;
  if (filter.redundancy == Redundancy::automatic) filter.redundancy = Redundancy::none;  // a turn sees every ray twice
  filter_ = backend.make_filter(flat_turn(scan_, turn_), filter);
  if (filter_->scan().detector != scan_.detector)
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

void HelicalFdk::filter_next() {
  const Detector& measured = source_->scan().detector;
  const std::int64_t in_turn = turn_ - views_done_ % turn_;
  const std::int64_t count = std::min({batch_views, in_turn, scan_.view_count() - views_done_});
  std::vector<float> host(static_cast<std::size_t>(count * measured.pixels())),
      rows(static_cast<std::size_t>(count * scan_.detector.pixels()));
  {
    Stopwatch watch(seconds_, "read");
    source_->read(views_done_, count, host);
  }
  Stopwatch watch(seconds_, "filter");
  for (std::int64_t v = 0; v < count; ++v)
    for (std::int64_t r = 0; r < scan_.detector.rows; ++r) {
      const std::int64_t nearest = std::clamp<std::int64_t>(r - extra_rows_, 0, measured.rows - 1);
      std::copy_n(host.data() + (v * measured.rows + nearest) * measured.columns, measured.columns,
                  rows.data() + (v * scan_.detector.rows + r) * measured.columns);
    }
  filter_->run(views_done_ % turn_, rows, *backend_.rows(*filtered_, views_done_, count));
  backend_.finish();
  views_done_ += count;
}

void HelicalFdk::add(std::int64_t first, std::int64_t last) {
  first = std::max<std::int64_t>(first, 0);
  last = std::min(last, scan_.view_count());
  if (first < last) operator_->back(*filtered_, *slab_, {first, last - first, 1}, Write::accumulate);
}

// From the faintest views inwards: what is there already is scaled to its share of the next level.
void HelicalFdk::reconstruct_next() {
  Stopwatch watch(seconds_, "backproject");
  const double z = grid_.first_voxel().z + static_cast<double>(slices_done_) * grid_.spacing.z;
  if (slices_done_ > 0) {
    slab_grid_.center.z = z;
    operator_.reset();
    operator_ = backend_.make_ct(slab_grid_, scan_, ct_);
  }
  const double middle = travel_ != 0 ? (z - first_z_) / travel_ : 0;
  const auto edge = [&](int level, double side) {  // the inner end of views that count (level - 1/2) / levels
    const double away = (0.5 + 0.25 * (0.5 - static_cast<double>(level) / levels)) * static_cast<double>(turn_);
    return static_cast<std::int64_t>(std::llround(middle + side * away));
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
