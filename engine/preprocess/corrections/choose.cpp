#include <backlit/preprocess/choose_corrections.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "preprocess/corrections/pixels.hpp"

namespace backlit {
namespace {

constexpr double defect_limit = 10, zinger_limit = 10;
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

}  // namespace

ChosenCorrections choose_corrections(ProjectionSource& source, const Watch& watch) {
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
  const auto defects = std::ranges::count(find_defects(p, defect_limit), 1);
  if (note(defects > 0 && defects < p.scan.detector.pixels() / 20, "defective pixels",
           fmt::format("{} of {}", defects, p.scan.detector.pixels())))
    chosen.options.defects = defect_limit;
  const std::int64_t zingers = find_zingers(p, zinger_limit).count;
  if (note(zingers >= 3 && zingers < readings / 200, "zingers", fmt::format("{} of {} readings", zingers, readings)))
    chosen.options.zingers = zinger_limit;
  const Stripes stripes = measure_stripes(p);
  if (note(stripes.common > 2 * stripes.changing && stripes.common > 5e-4 * stripes.scale, "stripes",
           fmt::format("columns differ by {:.2g} in all views, by {:.2g} in some", stripes.common, stripes.changing)))
    chosen.options.stripes = std::clamp<std::int64_t>(columns / 16 | 1, 5, 31);
  return chosen;
}

}  // namespace backlit
