#include <backlit/calibration/align_views.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "calibration/calibration_views.hpp"
#include "calibration/fixed_point.hpp"
#include "calibration/register_images.hpp"

namespace backlit {
namespace {

constexpr const char* alignment = "alignment of views";
constexpr std::int64_t least_rows = 8;  ///< views with fewer are shifted along u alone
constexpr std::int64_t margin = 3;      ///< voxels, above and below, for views that lie off
constexpr double precision = 0.02;      ///< px of the detector: a resolution ends when shifts change by less, r.m.s.
constexpr double blur = 0.7;            ///< px at each resolution, against noise and the pixels' edges
/// Reconstructions of what the volume leaves over. One leaves 0.11 px in short scans of cones, three leave 0.05 px. Two
/// are worse than one: 0.16 px in short fan beams, where one leaves 0.04 px.
constexpr int refinements = 3;

/// The scan of views whose pixels are binned.
Scan coarse_scan(const Scan& scan, const CalibrationViews& views) {
  Scan out = scan;
  const auto b = static_cast<double>(views.binning);
  out.detector.columns = views.columns;
  out.detector.rows = views.rows;
  out.detector.pixel_u *= b;
  out.detector.pixel_v *= b;
  const double column = views.column_of(0.5 * static_cast<double>(views.columns - 1)),
               row = 0.5 * static_cast<double>(std::min(views.rows * views.binning, scan.detector.rows) - 1);
  for (View& view : out.views) {
    view.center = detector_point(scan.detector, view, column, row);
    view.u *= b;
    view.v *= b;
  }
  return out;
}

/// The tools' grid, made higher: every ray through its circle leaves through the side.
VolumeGrid grid_of(const Scan& scan, const VolumeTools& tools) {
  VolumeGrid grid = tools.grid(scan, 0);
  if (scan.detector.rows < least_rows) return grid;
  const View& view = scan.views.front();
  const double radius = 0.5 * static_cast<double>(grid.size[0]) * grid.spacing.x,
               farther = view.beam == Beam::cone ? 1 + radius / glm::length(point_on_axis(view) - view.source) : 1;
  grid.size[2] = static_cast<std::int64_t>(std::ceil(static_cast<double>(grid.size[2]) * farther)) + 2 * margin;
  return grid;
}

double sum_of_squares(std::span<const float> values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

Projections difference(const Projections& a, const Projections& b) {
  Projections out(a.scan);
  for (std::size_t i = 0; i < out.values.span().size(); ++i)
    out.values.span()[i] = a.values.span()[i] - b.values.span()[i];
  return out;
}

void add(Volume& volume, const Volume& more) {
  for (std::size_t i = 0; i < volume.values.span().size(); ++i) volume.values.span()[i] += more.values.span()[i];
}

/// Pixels at each edge that shifts up to `longest` may move out of a view; at most a quarter of them.
std::int64_t rim(double longest, std::int64_t pixels) {
  return std::min<std::int64_t>(1 + static_cast<std::int64_t>(std::ceil(longest)), pixels / 4);
}

/// The views at one resolution, and their reconstruction.
class Level {
 public:
  Level(const CalibrationViews& views, const Scan& scan, const VolumeTools& tools)
      : views_(views), scan_(coarse_scan(scan, views)), tools_(tools), measured_(scan_), grid_(grid_of(scan_, tools)) {
    for (std::size_t i = 0; i < views.values.size(); ++i) {
      std::ranges::copy(views.values[i], measured_.view(static_cast<std::int64_t>(i)).begin());
      smooth_.push_back(smoothed(views.values[i], views.columns, views.rows, blur));
    }
  }

  const Scan& scan() const { return scan_; }
  /// Of the last disagreement(): r.m.s. of the views minus their reprojections, over that of the views.
  double residual() const { return residual_; }

  /// The shifts, px of this resolution, of the views against the projections of their reconstruction.
  std::vector<ViewShift> disagreement(const std::vector<ViewShift>& shifts) {
    double longest_u = 0, longest_v = 0;
    for (const ViewShift& shift : shifts) {
      longest_u = std::max(longest_u, std::abs(shift.u));
      longest_v = std::max(longest_v, std::abs(shift.v));
    }
    const std::int64_t rim_u = rim(longest_u, views_.columns), rim_v = rim(longest_v, views_.rows);
    measured_.scan = shifted(scan_, shifts);
    const Projections expected = reprojected();
    std::vector<ViewShift> found(shifts.size());
    parallel_for(static_cast<std::int64_t>(shifts.size()), [&](std::int64_t view) {
      const auto i = static_cast<std::size_t>(view);
      const std::span<const float> image = expected.view(view);
      found[i] = find_shift(smooth_[i], smoothed({image.begin(), image.end()}, views_.columns, views_.rows, blur),
                            views_.columns, views_.rows, rim_u, rim_v, views_.rows >= least_rows);
    });
    return found;
  }

 private:
  /// Projections of the views' reconstruction. What it leaves over is reconstructed too and added, as long as that fits
  /// better: the bias of filtered backprojection would become a shift.
  Projections reprojected() {
    Volume volume = tools_.reconstruct(measured_, grid_);
    Projections best = tools_.project(volume, measured_.scan), left = difference(measured_, best);
    double rest = sum_of_squares(left.values.span());
    for (int i = 0; i < refinements; ++i) {
      add(volume, tools_.reconstruct(left, grid_));
      Projections better = tools_.project(volume, measured_.scan);
      left = difference(measured_, better);
      const double now = sum_of_squares(left.values.span());
      if (!(now < rest)) break;
      best = std::move(better);
      rest = now;
    }
    const double size = sum_of_squares(measured_.values.span());
    residual_ = size > 0 ? std::sqrt(rest / size) : 0;
    return best;
  }

  const CalibrationViews& views_;
  Scan scan_;
  const VolumeTools& tools_;
  Projections measured_;
  VolumeGrid grid_;
  std::vector<std::vector<float>> smooth_;
  double residual_ = 0;
};

std::vector<double> numbers(const std::vector<ViewShift>& shifts) {
  std::vector<double> out;
  for (const ViewShift& shift : shifts) out.insert(out.end(), {shift.u, shift.v});
  return out;
}

std::vector<ViewShift> shifts_of(const std::vector<double>& numbers) {
  std::vector<ViewShift> out;
  for (std::size_t i = 0; i < numbers.size(); i += 2) out.push_back({numbers[i], numbers[i + 1]});
  return out;
}

std::vector<ViewShift> scaled(std::vector<ViewShift> shifts, double factor) {
  for (ViewShift& shift : shifts) shift = {factor * shift.u, factor * shift.v};
  return shifts;
}

void align_at(Level& level, double binning, const AlignOptions& options, Alignment& result, const Watch& watch) {
  FixedPoint search;
  std::vector<ViewShift> shifts = scaled(result.shifts, 1 / binning);
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    const std::vector<ViewShift> step = without_translation(level.disagreement(shifts), level.scan());
    shifts = without_translation(shifts_of(search.next(numbers(shifts), numbers(step))), level.scan());
    result.change.push_back(binning * rms(step));
    result.residual.push_back(level.residual());
    watch.advance(1);
    if (result.change.back() < precision) break;
  }
  result.shifts = scaled(shifts, binning);
}

}  // namespace

Parameters AlignOptions::parameters() {
  return {{"align_rounds", &rounds, "most rounds at each resolution", "", 1, 1000},
          {"align_columns", &columns, "pixels are binned until a view has at most this many columns and rows", "px", 16,
           4096}};
}

Alignment align_views(ProjectionSource& source, const VolumeTools& tools, const AlignOptions& options,
                      const Watch& watch) {
  const Scan& scan = source.scan();
  if (scan.view_count() < 8)
    throw InputError(alignment, "fewer than eight views", "give their shifts in the scan file");
  Alignment result;
  result.shifts.resize(scan.views.size());
  result.scan = shifted(scan, result.shifts);  // refuses curved detectors
  std::vector<std::int64_t> every(scan.views.size());
  std::iota(every.begin(), every.end(), 0);
  std::vector<CalibrationViews> levels{read_calibration_views(source, every, options.columns, watch)};
  while (levels.front().columns >= 32 && (levels.front().rows >= 32 || levels.front().rows < 8))
    levels.insert(levels.begin(), halved(levels.front()));
  watch.begin("align", options.rounds * static_cast<std::int64_t>(levels.size()), "rounds");
  for (const CalibrationViews& views : levels) {
    Level level(views, scan, tools);
    align_at(level, static_cast<double>(views.binning), options, result, watch);
  }
  watch.end();
  result.scan = shifted(scan, result.shifts);
  return result;
}

}  // namespace backlit
