#include <backlit/calibration/calibrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/preprocess/turning_sense.hpp>
#include "calibration/geometry_search.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

constexpr const char* where = "calibration";
constexpr double plane_distance_error = 0.005;  ///< its r.m.s. in nine simulated scans was 0.0032
constexpr double blurs[] = {8, 3, 1};           ///< for rays and mirror images, in coarser pixels

/// A scan, or some of its views, and their comparison.
struct Comparison {
  Scan scan;
  Evidence evidence;
};

/// mm, the radius of the ball about the origin that a view's rays cover.
double object_radius(const Scan& scan) {
  const View& view = scan.views.front();
  const Detector& d = scan.detector;
  const double half = 0.5 * std::max(static_cast<double>(d.columns) * glm::length(view.u),
                                     static_cast<double>(d.rows) * glm::length(view.v));
  return glm::length(view.source) * std::sin(std::atan(half / detector_normal(view).distance));
}

void refuse(const Scan& scan) {
  scan.check(where);
  if (scan.view_count() < 8) throw InputError(where, "fewer than eight views", "give the geometry in the scan file");
  double low = scan.views.front().source.z, high = low;
  for (const View& view : scan.views) {
    low = std::min(low, view.source.z);
    high = std::max(high, view.source.z);
  }
  const Detector& d = scan.detector;
  if (scan.beam() == Beam::cone && high - low > 0.01 * static_cast<double>(d.rows + 1) * d.pixel_v)
    throw InputError(where, "the source leaves its plane (a helix)", "calibrate a circular scan of the same scanner");
}

/// Whether enough planes lie wholly on the detector to compare their integrals.
bool has_whole_planes(const CalibrationViews& views, const Scan& scan, double radius) {
  constexpr double least_share = 0.1;
  const auto residuals = make_epipolar(views, scan, radius, PlaneQuantity::integral)->residuals(scan);
  const auto whole = std::ranges::count_if(residuals, [](float r) { return std::isfinite(r); });
  return static_cast<double>(whole) > least_share * static_cast<double>(residuals.size());
}

Comparison compare_planes(ProjectionSource& source, const CalibrationOptions& options, PlaneQuantity quantity,
                          const Watch& watch) {
  const Scan& scan = source.scan();
  Comparison out;
  out.scan.detector = scan.detector;
  const auto chosen = spread_views(scan.view_count(), options.views);
  CalibrationViews views = read_calibration_views(source, chosen, options.columns, watch);
  for (const std::int64_t view : chosen) out.scan.views.push_back(scan.views[static_cast<std::size_t>(view)]);
  std::iota(views.index.begin(), views.index.end(), 0);
  std::vector<CalibrationViews> levels{views};  // the last is the finest
  while (levels.size() < 2 || std::max(levels.front().columns, levels.front().rows) >= 100)
    levels.insert(levels.begin(), halved(levels.front()));
  const double radius = object_radius(scan);
  if (!has_whole_planes(levels.front(), out.scan, radius)) quantity = PlaneQuantity::derivative;
  Evidence& e = out.evidence;
  e.binning = static_cast<double>(views.binning);
  e.levels = static_cast<int>(levels.size());
  e.direction = true;
  if (quantity == PlaneQuantity::integral) {
    e.words = "integrals of planes through two sources";
    e.others = "not searched: a taller object would look the same";
    e.parameters = {column_offset, row_offset, in_plane, tilt_v, detector_distance};
    e.coarse = {column_offset, row_offset, in_plane};
    e.distance_error = plane_distance_error;
  } else {
    e.words = "planes through two sources";
    e.others = "not searched: planes are cut off by the detector's edges, or rays are almost parallel";
    e.parameters = {column_offset, in_plane};
  }
  e.make = [levels = std::move(levels), radius, quantity](const Scan& s, int level) {
    return make_epipolar(levels[static_cast<std::size_t>(level)], s, radius, quantity);
  };
  return out;
}

Comparison compare_mirror_images(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
  const Scan& scan = source.scan();
  const std::vector<MirroredView> pairs = find_mirrored_views(scan, options.views);
  if (pairs.empty())
    throw InputError(where, "no view has another half a turn on", "parallel beams need views over 180 degrees");
  std::vector<std::int64_t> index;
  for (const MirroredView& pair : pairs) index.insert(index.end(), {pair.view, pair.before, pair.after});
  std::ranges::sort(index);
  index.erase(std::unique(index.begin(), index.end()), index.end());
  const auto views =
      std::make_shared<CalibrationViews>(read_calibration_views(source, index, 4 * options.columns, watch));
  Comparison out{scan, {}};
  Evidence& e = out.evidence;
  e.words = "views and their mirror images half a turn on";
  e.others = "not searched: parallel views hardly depend on it";
  e.parameters = {column_offset};
  if (scan.detector.rows >= 8) e.parameters.push_back(in_plane);
  e.binning = static_cast<double>(views->binning);
  e.make = [views, pairs](const Scan&, int level) { return make_mirrored_views(*views, pairs, blurs[level]); };
  return out;
}

/// Whether there are enough rows, once binned, to compare planes.
bool has_planes(const Scan& scan, const CalibrationOptions& options) {
  const Detector& d = scan.detector;
  return d.shape == Detector::Shape::flat && d.rows / binning(d, options.columns) >= 8;
}

/// Compares rays in the plane of the sources, under the geometry of `placed`.
Comparison compare_rays(ProjectionSource& source, const Scan& placed, const CalibrationOptions& options,
                        const Watch& watch) {
  const Scan& scan = source.scan();
  std::vector<std::int64_t> every(static_cast<std::size_t>(scan.view_count()));
  std::iota(every.begin(), every.end(), 0);
  const bool in_plane_of_sources = has_planes(scan, options);
  const View& view = placed.views.front();
  const double row = midplane(placed.detector, view).row;
  const auto views = std::make_shared<CalibrationViews>(read_calibration_views(
      source, every, 4 * options.columns, watch,
      [&](double column) { return in_plane_of_sources ? horizontal_row(placed.detector, view, column) : row; }));
  Comparison out{scan, {}};
  Evidence& e = out.evidence;
  e.words = "rays and the opposite ones";
  e.others = "not searched: rays of one row hardly depend on it";
  e.parameters = {column_offset};
  if (scan.detector.shape == Detector::Shape::flat) e.parameters.push_back(detector_distance);
  e.binning = static_cast<double>(views->binning);
  e.make = [views, in_plane_of_sources](const Scan& s, int level) {
    return make_conjugate_rays(*views, s, blurs[level], in_plane_of_sources);
  };
  return out;
}

Comparison compare(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
  const Scan& scan = source.scan();
  if (scan.beam() == Beam::parallel) return compare_mirror_images(source, options, watch);
  return has_planes(scan, options) ? compare_planes(source, options, PlaneQuantity::integral, watch)
                                   : compare_rays(source, scan, options, watch);
}

/// The direction of rotation, where planes do not tell.
struct Direction {
  bool determined = false, reversed = false;
  std::string reason;  ///< why it is not determined
};

Direction direction_of(const std::shared_ptr<ProjectionSource>& source, const Watch& watch) {
  if (source->scan().beam() == Beam::parallel)
    return {false, false,
            "parallel rays agree in both directions; in the opposite one the volume would be the mirror image"};
  const auto sense = compare_turning_senses(source, watch);
  if (!sense) return {false, false, "too few rays were measured from both sides"};
  if (sense->contradicted()) return {true, true, ""};
  if (sense->confirmed()) return {true, false, ""};
  return {
      false, false,
      fmt::format("opposite rays agree about as well in both directions: they differ by {:.2g} as the scan file says "
                  "and by {:.2g} reversed",
                  sense->as_given, sense->reversed)};
}

void check_lengths(const Scan& scan, const CalibrationOptions& options) {
  if ((options.known_length > 0) != (options.measured_length > 0))
    throw InputError("known_length", "`known_length` and `measured_length` belong together", "give both, or neither");
  if (options.known_length > 0 && scan.beam() == Beam::parallel)
    throw InputError("known_length", "a parallel beam does not magnify, so the pixel size is the scale",
                     "change `pixel_mm` in the scan file");
}

/// Takes the distance from source to axis with which the measured length becomes the known one. A detector that is
/// farther away than the scan file says has made the length too large.
void set_scale(const Scan& scan, const CalibrationOptions& options, Calibration& result) {
  const View& view = scan.views.front();
  const double pixel = std::min(scan.detector.pixel_u, scan.detector.pixel_v) *
                       glm::length(point_on_axis(view) - view.source) / glm::length(view.center - view.source);
  result.correction.axis_distance =
      result.correction.detector_distance * options.known_length / options.measured_length;
  result.scale_uncertainty = 0.5 * pixel / options.measured_length * result.correction.axis_distance;
}

}  // namespace

Parameters CalibrationOptions::parameters() {
  return {
      {"views", &views, "views that are compared, evenly spread over the scan", "", 8, 1000},
      {"columns", &columns, "pixels are binned until a view has at most this many columns and rows", "px", 32, 4096},
      {"find_center", &find_center, "look for the axis over the whole detector first"},
      {"measured_length", &measured_length, "a length near the axis in a volume of this scan file, for `known_length`",
       "mm", 0, 1e6},
      {"known_length", &known_length,
       "true value of `measured_length`: sets the distance from source to axis; cone beams", "mm", 0, 1e6}};
}

Calibration calibrate(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch,
                      Undetermined undetermined) {
  const Scan& scan = source.scan();
  refuse(scan);
  check_lengths(scan, options);
  Comparison comparison = compare(source, options, watch);
  Calibration result;
  result.criterion = comparison.evidence.words;
  std::shared_ptr<ProjectionSource> views(std::shared_ptr<void>(), &source);  // the caller's, not kept
  Direction direction{comparison.evidence.direction, false, ""};
  if (!direction.determined) direction = direction_of(views, watch);
  result.direction_determined = direction.determined;
  result.direction_reason = direction.reason;
  if (direction.reversed) views = std::make_shared<PlacedViews>(views, corrected(scan, {.reversed = true}));
  GeometrySearch search(comparison.scan, std::move(comparison.evidence));
  double start = 0;
  if (options.find_center) {
    try {
      start = find_center(*views, watch).center_px - center_of(scan);
    } catch (const InputError& e) {
      result.notes.push_back(fmt::format("the search starts at the scan file's axis: {}", e.what()));
    }
  }
  search.start_at(start, direction.reversed);
  search.run(watch);
  if (scan.beam() == Beam::cone && !search.determines(column_offset) &&
      has_planes(scan, options)) {  // almost parallel rays
    Comparison derivatives = compare_planes(source, options, PlaneQuantity::derivative, watch);
    result.criterion = derivatives.evidence.words;
    search = GeometrySearch(derivatives.scan, std::move(derivatives.evidence));
    search.start_at(start, false);
    search.run(watch);
  }
  if (scan.beam() == Beam::cone && has_planes(scan, options)) {
    Comparison rays = compare_rays(source, corrected(scan, search.correction()), options, watch);
    if (search.add(rays.scan, std::move(rays.evidence), watch)) result.criterion += ", rays and the opposite ones";
  }
  result.before = search.before();
  if (!search.improved()) {
    result.notes.emplace_back("the scan file's own geometry agrees best: nothing was changed");
    search.keep_own_geometry();
  }
  result.after = search.after();
  result.parameters = search.report(options.curves, watch);
  result.correction = search.correction();
  if (undetermined == Undetermined::refused &&
      std::ranges::none_of(result.parameters, &CalibratedParameter::determined))
    throw InputError(
        where, "the views determine none of its parameters",
        "use more views over a larger arc, not truncated, of an object that looks different from each side");
  if (result.correction.reversed)
    result.notes.emplace_back("the object turned in the opposite direction to what the scan file says");
  if (options.known_length > 0)
    set_scale(scan, options, result);
  else if (scan.beam() == Beam::cone)
    result.notes.emplace_back(
        "the distance from source to axis is the scale of the picture: no view depends on it, a known length gives it");
  result.scan = corrected(scan, result.correction);
  return result;
}

}  // namespace backlit
