#include "recon/session/scan_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace backlit {

std::vector<std::string> advice_on_fdk(const Scan& scan, const std::vector<ViewEdges>& edges, double center_px,
                                       bool continued) {
  std::vector<std::string> advice;
  const std::int64_t views = scan.view_count(), columns = scan.detector.columns;
  if (const std::int64_t needed = std::max<std::int64_t>(16, columns / 20); views < needed)
    advice.push_back(fmt::format(
        "{} {} of {} columns {} too few for FDK (say {}): expect streaks; `method` sirt or cgls does better "
        "with few",
        views, views == 1 ? "view" : "views", columns, views == 1 ? "is" : "are", needed));
  if (!continued && columns > 1 && cut_off_shares(scan.detector, edges, center_px).any >= 0.25)
    advice.emplace_back(
        "projections are cut off at the detector's edge: values near the edge of the field of view will be too high");
  return advice;
}

}  // namespace backlit
