#include <vector>

#include "panels/panels.hpp"
#include "panels/plots/plot.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

void residual(Frame& frame, bool list) {
  const std::vector<double>& residuals = frame.status.residuals;
  std::vector<double> iterations(residuals.size());
  for (std::size_t i = 0; i < iterations.size(); ++i) iterations[i] = static_cast<double>(i + 1);
  const char* name = list ? "log-likelihood" : "residual |b - Ax| / |b|";
  const Curve curve{iterations, residuals, palette().accent, name};
  plot(frame, "residual", {&curve, 1}, {.x_label = "iteration", .height = 120, .log_y = !list, .whole_x = true});
}

void over_time(Frame& frame, bool list) {
  std::vector<double> seconds, rate, share;
  for (const ThroughputSample& t : frame.status.throughput) {
    seconds.push_back(t.seconds);
    rate.push_back(list ? 1e-6 * t.views_per_second : t.views_per_second);
    share.push_back(100 * t.shown_share);
  }
  const Curve rates{seconds, rate, palette().accent, list ? "M events / s" : "projections / s"};
  plot(frame, "throughput", {&rates, 1}, {.x_label = "s"});
  const Curve shares{seconds, share, palette().second, "display overhead, % of the time"};
  plot(frame, "share", {&shares, 1}, {.x_label = "s", .height = 90});
}

/// Plots the rates of runs over their interval.
void over_intervals(Frame& frame) {
  std::vector<double> interval, rate, share;
  for (const IntervalRate& r : frame.status.interval_rates.all()) {
    interval.push_back(static_cast<double>(r.interval));
    rate.push_back(r.views_per_second);
    share.push_back(100 * r.shown_share);
  }
  const char* label = "views per picture";
  const Curve rates{interval, rate, palette().accent, "projections / s, whole runs"};
  plot(frame, "rate by interval", {&rates, 1}, {.x_label = label, .log_x = true});
  const Curve shares{interval, share, palette().second, "display overhead, % of whole runs"};
  plot(frame, "share by interval", {&shares, 1}, {.x_label = label, .height = 90, .log_x = true});
}

}  // namespace

void plots_panel(Frame& frame) {
  const Status& s = frame.status;
  // Keep the plots while a run has no values yet: the panels below must not move.
  if (!s.source || !s.source->can_run()) return;
  const bool list = frame.model.list_mode();
  if (!section("Progress")) return;
  if (list || frame.next.recon.method.get<IterationOptions>()) residual(frame, list);
  over_time(frame, list);
  if (s.interval_rates.all().size() > 1) over_intervals(frame);
}

}  // namespace backlit::viewer
