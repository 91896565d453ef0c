#include <fmt/format.h>

#include "panels/panels.hpp"
#include "panels/plots/plot.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

/// Plots the numbers of prompts in bins, each multiplied by `scale`.
void plot_bins(Frame& frame, const char* id, const backlit::Histogram& bins, double scale, const char* name,
               const char* unit) {
  if (bins.counts.empty()) return;
  std::vector<double> x, y;
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    x.push_back(bins.center(i));
    y.push_back(scale * static_cast<double>(bins.counts[i]));
  }
  const Curve curve{x, y, palette().accent, name};
  plot(frame, id, {&curve, 1}, {.x_label = unit});
}

std::string corrections(const ListModeSummary& s) {
  std::string text;
  const auto add = [&](bool there, const char* name) {
    if (there) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(s.mean_acf > 0, "attenuation");
  add(s.mean_norm > 0, "norm");
  add(s.mean_scatter_rate >= 0, "scatter");
  add(s.mean_random_rate >= 0, "randoms");
  return text.empty() ? "none" : text;
}

}  // namespace

void list_panel(Frame& frame) {
  if (!frame.model.list_mode()) return;
  if (!section("Events", true)) return;
  const ListFacts& list = *frame.status.source->list;
  const ListModeSummary& s = list.summary;
  fact("format", list.info.format);
  fact("rate", fmt::format("{:.4g} prompts/s", s.prompts_per_s()));
  if (s.counts.delayeds > 0) fact("delayeds", grouped(s.counts.delayeds));
  fact("TOF", list.info.has_tof() ? fmt::format("{:.4g} ps FWHM", list.info.tof_fwhm_ps) : "none");
  if (list.info.tof_bin_ps > 0) fact("TOF bins", fmt::format("{:.4g} ps", list.info.tof_bin_ps));
  fact("events hold", corrections(s));
  if (s.mean_random_rate >= 0 && s.seconds > 0)
    tooltip(fmt::format("mean of events: randoms {:.3g} /s, scatter {:.3g} /s", s.mean_random_rate,
                        std::max(0.0, s.mean_scatter_rate)));
  if (!list.info.isotope.empty()) fact("isotope", list.info.isotope);
  plot_bins(frame, "rate", s.time_s, s.time_s.width > 0 ? 1 / s.time_s.width : 1, "prompts / s", "s");
  plot_bins(frame, "tof", s.tof_ps, 1, "prompts by t1 - t2", "ps");
  plot_bins(frame, "rings", s.ring_difference, 1, "prompts by ring difference", "rings");
}

}  // namespace backlit::viewer
