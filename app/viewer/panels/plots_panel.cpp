#include <fmt/format.h>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void plots_panel(Frame& frame) {
  const Status& s = frame.status;
  if (s.residuals.empty() && s.throughput.empty()) return;
  const bool list = s.source && s.source->list;
  if (!section("Progress")) return;
  if (!s.residuals.empty()) {
    std::vector<double> iterations(s.residuals.size());
    for (std::size_t i = 0; i < iterations.size(); ++i) iterations[i] = static_cast<double>(i + 1);
    const char* name = list ? "log-likelihood" : "residual |b - Ax| / |b|";
    const Curve curve{iterations, s.residuals, palette().accent, name};
    plot(frame, "residual", {&curve, 1}, "iteration", !list, 120);
  }
  if (s.throughput.empty()) return;
  std::vector<double> seconds, rate, share;
  for (const ThroughputSample& t : s.throughput) {
    seconds.push_back(t.seconds);
    rate.push_back(list ? 1e-6 * t.views_per_second : t.views_per_second);
    share.push_back(100 * t.shown_share);
  }
  const Curve rates{seconds, rate, palette().accent, list ? "M events / s" : "projections / s"};
  plot(frame, "throughput", {&rates, 1}, "s", false, 105);
  const Curve shares{seconds, share, palette().second, "showing, % of the time"};
  plot(frame, "share", {&shares, 1}, "s", false, 90);
}

}  // namespace backlit::viewer
