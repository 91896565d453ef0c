#include <fmt/format.h>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {

void plots_panel(Frame& frame) {
  const Status& s = frame.status;
  if (s.residuals.empty() && s.throughput.empty()) return;
  if (!section("Progress")) return;
  if (!s.residuals.empty()) {
    std::vector<double> iterations(s.residuals.size());
    for (std::size_t i = 0; i < iterations.size(); ++i) iterations[i] = static_cast<double>(i + 1);
    const Curve curve{iterations, s.residuals, palette().accent, "residual |b − Ax| / |b|"};
    plot(frame, "residual", {&curve, 1}, "iteration", true, 110);
  }
  if (s.throughput.empty()) return;
  std::vector<double> seconds, rate, share;
  for (const ThroughputSample& t : s.throughput) {
    seconds.push_back(t.seconds);
    rate.push_back(t.views_per_second);
    share.push_back(100 * t.shown_share);
  }
  const Curve rates{seconds, rate, palette().accent, "projections / s"};
  plot(frame, "throughput", {&rates, 1}, "s", false, 90);
  const Curve shares{seconds, share, palette().second, "showing, % of the time"};
  plot(frame, "share", {&shares, 1}, "s", false, 70);
}

}  // namespace backlit::viewer
