#include <backlit/preprocess/choose_corrections.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "preprocess/corrections/air.hpp"
#include "preprocess/corrections/flats.hpp"
#include "preprocess/corrections/pixels.hpp"
#include "preprocess/view_edges.hpp"

namespace backlit {
namespace {

constexpr double defect_times = 10, zinger_times = 10, usual_truncation = 0.1;
constexpr std::int64_t most_runs = 16, views_a_run = 8;

/// Runs of consecutive views, spread over the scan: zingers and noise are seen from one view to the next.
Projections some_views(ProjectionSource& source, const Watch& watch) {
  const Scan& scan = source.scan();
  const std::int64_t views = scan.view_count();
  std::vector<std::int64_t> chosen;
  if (views <= most_runs * views_a_run) {
    for (std::int64_t v = 0; v < views; ++v) chosen.push_back(v);
  } else {
    for (std::int64_t run = 0; run < most_runs; ++run)
      for (std::int64_t v = 0; v < views_a_run; ++v)
        chosen.push_back(run * (views - views_a_run) / (most_runs - 1) + v);
  }
  Scan some{scan.detector, {}};
  for (const std::int64_t v : chosen) some.views.push_back(scan.views[static_cast<std::size_t>(v)]);
  Projections p(std::move(some));
  watch.begin("look for faults", std::ssize(chosen), "views");
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    source.read(chosen[i], 1, p.view(static_cast<std::int64_t>(i)));
    watch.advance(1);
  }
  watch.end();
  return p;
}

/// How the columns' means over the views leave the smooth course of their neighbours.
struct Stripes {
  double common = 0;    ///< the same in the odd and the even quarters of the scan: stripes
  double changing = 0;  ///< different: noise, and the object, which looks different from other sides
  double scale = 0;     ///< the largest mean
};

double median_size(std::vector<double>& values) {
  if (values.empty()) return 0;
  for (double& v : values) v = std::abs(v);
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle / normal_median;
}

Stripes measure_stripes(const Projections& p) {
  const Detector& d = p.scan.detector;
  const std::int64_t views = p.scan.view_count();
  std::vector<double> mean[2];
  for (int half : {0, 1}) mean[half].assign(static_cast<std::size_t>(d.pixels()), 0);
  double count[2] = {0, 0};
  for (std::int64_t v = 0; v < views; ++v) ++count[4 * v / views % 2];
  for (std::int64_t v = 0; v < views; ++v) {
    const std::int64_t half = 4 * v / views % 2;
    std::ranges::transform(mean[half], p.view(v), mean[half].begin(),
                           [&](double s, float x) { return s + static_cast<double>(x) / count[half]; });
  }
  Stripes found;
  std::vector<double> common, changing;
  for (std::int64_t r = 0; r < d.rows; ++r)
    for (std::int64_t c = 2; c + 2 < d.columns; ++c) {
      double rough[2];
      for (int half : {0, 1}) {  // against the cubic through two neighbours on each side
        const double* const m = mean[half].data() + r * d.columns + c;
        rough[half] = (m[0] - (4 * (m[-1] + m[1]) - m[-2] - m[2]) / 6) / 1.394;
        found.scale = std::max(found.scale, std::abs(m[0]));
      }
      common.push_back(0.5 * (rough[0] + rough[1]));
      changing.push_back(0.5 * (rough[0] - rough[1]));
    }
  found.common = median_size(common);
  found.changing = median_size(changing);
  return found;
}

/// How the level of air at the outermost columns changes from view to view.
struct Air {
  std::int64_t columns = 0;  ///< at either side
  double common = 0;         ///< standard deviation of the level, the same at both sides
  double apart = 0;          ///< of what differs within a side, or between the sides: noise, the object, a moving beam
  bool is_air = false;       ///< whether the values are as small as those of air
  double scale = 0;          ///< the largest value
};

double deviation_of(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) square += (v - mean) * (v - mean) / static_cast<double>(values.size());
  return std::sqrt(square);
}

Air measure_air(const Projections& p) {
  const Detector& d = p.scan.detector;
  const std::int64_t half = std::max<std::int64_t>(2, d.columns / 50);
  Air air{2 * half};
  std::vector<double> common, within_left, within_right, between;
  for (std::int64_t v = 0; v < p.scan.view_count(); ++v) {
    const AirLevels outer = air_levels(p.view(v), d, 0, half), inner = air_levels(p.view(v), d, half, half);
    common.push_back(0.25 * (outer.left + outer.right + inner.left + inner.right));
    within_left.push_back(outer.left - inner.left);
    within_right.push_back(outer.right - inner.right);
    between.push_back(0.5 * (outer.left + inner.left - outer.right - inner.right));
    air.scale = std::max(air.scale, static_cast<double>(*std::ranges::max_element(p.view(v))));
  }
  air.common = deviation_of(common);
  air.apart = std::max({deviation_of(within_left), deviation_of(within_right), deviation_of(between)});
  air.is_air = median_size(common) * normal_median < 0.05 * air.scale;
  return air;
}

/// Where the views are cut off.
CutOffShares measure_cuts(const Projections& p) {
  std::vector<ViewEdges> edges;
  for (std::int64_t v = 0; v < p.scan.view_count(); ++v) edges.push_back(edges_of(p.view(v), p.scan.detector));
  return cut_off_shares(p.scan.detector, edges, center_of(p.scan));
}

/// Whether filters can continue the rows by this share of their width: those of a curved detector end half a turn
/// around the source.
bool can_be_continued(const Scan& scan, double share) {
  const View& view = scan.views.front();
  if (scan.detector.shape != Detector::Shape::curved) return true;
  const double pitch = glm::length(view.u) / detector_normal(view).distance;
  return pitch * static_cast<double>(scan.detector.columns) * (1 + share) < 0.9 * pi;
}

}  // namespace

ChosenCorrections choose_corrections(ProjectionSource& source, const CorrectionInput& input, const Watch& watch) {
  ChosenCorrections chosen;
  Projections p = some_views(source, watch);
  const std::int64_t columns = p.scan.detector.columns, readings = p.values.size();
  if (p.scan.view_count() < 8 || columns < 16) {
    chosen.reasons.emplace_back("faults: too few views or columns to tell them from the object");
    return chosen;
  }
  const auto note = [&](bool needed, const char* what, const std::string& evidence) {
    chosen.reasons.push_back(fmt::format("{}: {}{}", what, evidence, needed ? "" : ", not corrected"));
    return needed;
  };
  const auto defects = std::ranges::count(find_defects(p, defect_times), 1);
  if (note(defects > 0 && defects < p.scan.detector.pixels() / 20, "defective pixels",
           fmt::format("{} of {}", defects, p.scan.detector.pixels())))
    chosen.options.defects = defect_times;
  const std::int64_t zingers = find_zingers(p, zinger_times).count;
  if (note(zingers >= 3 && zingers < readings / 200, "zingers", fmt::format("{} of {} readings", zingers, readings)))
    chosen.options.zingers = zinger_times;
  const Stripes stripes = measure_stripes(p);
  if (note(stripes.common > 2 * stripes.changing && stripes.common > 5e-4 * stripes.scale, "stripes",
           fmt::format("columns differ by {:.2g} in all views, by {:.2g} in some", stripes.common, stripes.changing)))
    chosen.options.stripes = std::clamp<std::int64_t>(columns / 16 | 1, 5, 31);
  const Air air = measure_air(p);
  if (note(air.is_air && air.common > 3 * air.apart && air.common > 1e-3 * air.scale, "beam",
           air.is_air ? fmt::format("the level of air changes by {:.2g}, its other differences by {:.2g}", air.common,
                                    air.apart)
                      : std::string("no air beside the object")))
    chosen.options.air_columns = air.columns;
  if (const FlatDrift drift = drift_of_flats(input, watch); drift.flats > 0) {
    if (note(drift.components > 0, "flats",
             fmt::format("{} differ by {:.2g} times their noise in {} component{}", drift.flats, drift.times_noise,
                         std::max<std::int64_t>(1, drift.components), drift.components > 1 ? "s" : "")))
      chosen.options.flat_components = drift.components;
  }
  const CutOffShares cut = measure_cuts(p);
  const double shift = (center_of(p.scan) - p.scan.detector.middle_column()) / static_cast<double>(columns);
  const bool one_side = std::abs(shift) <= 0.05 && std::min(cut.left, cut.right) < 0.05;
  if (note(cut.any >= 0.25 && !one_side && can_be_continued(p.scan, usual_truncation), "width",
           fmt::format("{:.0f} % of the views are cut off at the detector's sides{}", 100 * cut.any,
                       cut.any >= 0.25 && one_side ? ", at one side only, as by a displaced detector" : "")))
    chosen.options.truncation = usual_truncation;
  chosen.reasons.emplace_back(
      "beam hardening, scatter and metal: not looked for, since only the user knows the object's materials");
  return chosen;
}

}  // namespace backlit
