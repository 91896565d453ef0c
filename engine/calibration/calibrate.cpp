#include <backlit/calibration/calibrate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "calibration/geometry_search.hpp"
#include "preprocess/scan_angles.hpp"

namespace backlit {
namespace {

constexpr const char* where = "calibration";
constexpr double blurs[] = {8, 3, 1};  ///< for rays and mirror images, in coarser pixels

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

Comparison compare_planes(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
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
  Evidence& e = out.evidence;
  e.words = "planes through two sources";
  e.others = "not searched";
  e.parameters = {column_offset, in_plane};
  e.binning = static_cast<double>(views.binning);
  e.levels = static_cast<int>(levels.size());
  e.direction = true;
  e.make = [levels = std::move(levels), radius = object_radius(scan)](const Scan& s, int level) {
    return make_epipolar(levels[static_cast<std::size_t>(level)], s, radius);
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

/// Compares rays of the row in the plane of the sources.
Comparison compare_rays(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
  const Scan& scan = source.scan();
  std::vector<std::int64_t> every(static_cast<std::size_t>(scan.view_count()));
  std::iota(every.begin(), every.end(), 0);
  const double row = midplane(scan.detector, scan.views.front()).row;
  const auto views =
      std::make_shared<CalibrationViews>(read_calibration_views(source, every, 4 * options.columns, watch, row));
  Comparison out{scan, {}};
  Evidence& e = out.evidence;
  e.words = "rays and the opposite ones";
  e.others = "not searched: rays of one row hardly depend on it";
  e.parameters = {column_offset};
  if (scan.detector.shape == Detector::Shape::flat) e.parameters.push_back(detector_distance);
  e.binning = static_cast<double>(views->binning);
  e.make = [views](const Scan& s, int level) { return make_conjugate_rays(*views, s, blurs[level]); };
  return out;
}

Comparison compare(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
  const Detector& d = source.scan().detector;
  if (source.scan().beam() == Beam::parallel) return compare_mirror_images(source, options, watch);
  return d.rows < 8 || d.shape == Detector::Shape::curved ? compare_rays(source, options, watch)
                                                          : compare_planes(source, options, watch);
}

}  // namespace

Parameters CalibrationOptions::parameters() {
  return {
      {"views", &views, "views that are compared, evenly spread over the scan", "", 8, 1000},
      {"columns", &columns, "pixels are binned until a view has at most this many columns and rows", "px", 32, 4096},
      {"find_center", &find_center, "look for the axis over the whole detector first"}};
}

Calibration calibrate(ProjectionSource& source, const CalibrationOptions& options, const Watch& watch) {
  const Scan& scan = source.scan();
  refuse(scan);
  Comparison comparison = compare(source, options, watch);
  Calibration result;
  result.criterion = comparison.evidence.words;
  result.direction_determined = comparison.evidence.direction;
  GeometrySearch search(comparison.scan, std::move(comparison.evidence));
  if (options.find_center) {
    try {
      search.start_at(find_center(source, watch).center_px - center_of(scan));
    } catch (const InputError& e) {
      result.notes.push_back(fmt::format("the search starts at the scan file's axis: {}", e.what()));
    }
  }
  search.run(watch);
  result.before = search.before();
  if (!search.improved()) {
    result.notes.emplace_back("the scan file's own geometry agrees best: nothing was changed");
    search.keep_own_geometry();
  }
  result.after = search.after();
  result.parameters = search.report(options.curves);
  result.correction = search.correction();
  if (std::ranges::none_of(result.parameters, &CalibratedParameter::determined))
    throw InputError(
        where, "the views determine none of its parameters",
        "use more views over a larger arc, not truncated, of an object that looks different from each side");
  if (result.correction.reversed)
    result.notes.emplace_back("the object turned in the opposite direction to what the scan file says");
  if (scan.beam() == Beam::cone)
    result.notes.emplace_back("the distance from source to axis is the scale of the picture: no view depends on it");
  result.scan = corrected(scan, result.correction);
  return result;
}

}  // namespace backlit
