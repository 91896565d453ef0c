#include <algorithm>
#include <cmath>

#include "study/report/figures/figures.hpp"

namespace backlit::report {
namespace {

using Profiles = std::vector<const StudyProfile*>;

constexpr double water = 0.02;  // 1/mm, 0 HU

std::vector<LegendEntry> lines_of(const Profiles& profiles, const Palette& palette) {
  std::vector<LegendEntry> entries;
  for (const StudyProfile* p : profiles)
    entries.push_back({p->architecture, "curve " + palette.style(p->architecture), 0, true});
  return entries;
}

std::vector<double> positions(const Profiles& profiles) {
  std::vector<double> all;
  for (const StudyProfile* p : profiles) all.insert(all.end(), p->position_mm.begin(), p->position_mm.end());
  return all;
}

/// A scale that ends at the values' ends.
Scale position_scale(const Profiles& profiles) {
  const std::vector<double> all = positions(profiles);
  Scale scale = scale_of(all, Growth::linear);
  double low = INFINITY, high = -INFINITY;
  for (const double x : all)
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  if (high > low) {
    scale.low = low;
    scale.high = high;
    scale.ticks = round_ticks(low, high, false);
  }
  return scale;
}

std::string values_figure(const Profiles& profiles, const Palette& palette) {
  std::vector<double> ys;
  auto legend = lines_of(profiles, palette);
  const StudyProfile& first = *profiles.front();
  if (!first.truth.empty()) legend.push_back({"truth", "truth", 0, true});
  for (const StudyProfile* p : profiles) ys.insert(ys.end(), p->value.begin(), p->value.end());
  ys.insert(ys.end(), first.truth.begin(), first.truth.end());
  Plot plot({first.title, "position, mm", "attenuation, 1/mm"}, position_scale(profiles), scale_of(ys, Growth::linear),
            legend);
  plot.curve(first.position_mm, first.truth, "truth");
  for (const StudyProfile* p : profiles)
    plot.curve(p->position_mm, p->value, "curve " + palette.style(p->architecture));
  return figure(first.title, plot.finish());
}

/// Differences of all other profiles from the first, in Hounsfield units.
std::string differences_figure(const Profiles& profiles, const Palette& palette) {
  const StudyProfile& first = *profiles.front();
  std::vector<std::vector<double>> curves;
  std::vector<double> all{0};
  Profiles others;
  for (const StudyProfile* p : profiles) {
    if (p == &first || p->position_mm != first.position_mm) continue;
    auto& curve = curves.emplace_back();
    for (std::size_t i = 0; i < p->value.size(); ++i) curve.push_back(1000 * (p->value[i] - first.value[i]) / water);
    all.insert(all.end(), curve.begin(), curve.end());
    others.push_back(p);
  }
  if (others.empty()) return "";
  const std::string title = first.title + ": difference from " + first.architecture;
  Plot plot({title, "position, mm", "difference, HU"}, position_scale(profiles), scale_of(all, Growth::linear),
            lines_of(others, palette));
  for (std::size_t i = 0; i < others.size(); ++i)
    plot.curve(others[i]->position_mm, curves[i], "curve " + palette.style(others[i]->architecture));
  return figure(title, plot.finish());
}

}  // namespace

std::string profile_figures(const Profiles& profiles, const Palette& palette) {
  return profiles.empty() ? "" : values_figure(profiles, palette) + differences_figure(profiles, palette);
}

}  // namespace backlit::report
