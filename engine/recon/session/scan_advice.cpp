#include "recon/session/scan_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace backlit {
namespace {

ViewEdges edges_of(std::span<const float> view, const Detector& d) {
  const std::int64_t width = std::max<std::int64_t>(1, d.columns / 100);  // narrow, but wider than one bad column
  double left = 0, right = 0;
  for (std::int64_t row = 0; row < d.rows; ++row)
    for (std::int64_t c = 0; c < width; ++c) {
      left += static_cast<double>(view[static_cast<std::size_t>(row * d.columns + c)]);
      right += static_cast<double>(view[static_cast<std::size_t>((row + 1) * d.columns - 1 - c)]);
    }
  const double most = static_cast<double>(*std::max_element(view.begin(), view.end()));
  const double scale = most > 0 ? 1 / (most * static_cast<double>(d.rows * width)) : 0;
  return {left * scale, right * scale};
}

/// Whether the detector cuts off at least a quarter of the views. The short side of a displaced detector lies inside
/// the object by design: only the long side counts.
bool are_cut_off(const Detector& d, const std::vector<ViewEdges>& edges, double center_px) {
  const double shift = (center_px - d.middle_column()) / static_cast<double>(d.columns);
  const auto cut = std::ranges::count_if(edges, [&](const ViewEdges& e) {
    return std::max(shift < -0.05 ? 0 : e.left, shift > 0.05 ? 0 : e.right) > 0.05;
  });
  return 4 * cut >= static_cast<std::ptrdiff_t>(edges.size());
}

}  // namespace

std::vector<ViewEdges> edges_of_views(ProjectionSource& source) {
  const Detector& d = source.scan().detector;
  const std::int64_t views = source.scan().view_count(), looks = std::min<std::int64_t>(16, views);
  std::vector<float> view(static_cast<std::size_t>(d.pixels()));
  std::vector<ViewEdges> edges;
  for (std::int64_t i = 0; i < looks; ++i) {
    source.read(i * views / looks, 1, view);
    edges.push_back(edges_of(view, d));
  }
  return edges;
}

std::vector<std::string> advice_on_fdk(const Scan& scan, const std::vector<ViewEdges>& edges, double center_px) {
  std::vector<std::string> advice;
  const std::int64_t views = scan.view_count(), columns = scan.detector.columns;
  if (const std::int64_t needed = std::max<std::int64_t>(16, columns / 20); views < needed)
    advice.push_back(fmt::format(
        "{} {} of {} columns {} too few for FDK (say {}): expect streaks; `method` sirt or cgls does better "
        "with few",
        views, views == 1 ? "view" : "views", columns, views == 1 ? "is" : "are", needed));
  if (columns > 1 && are_cut_off(scan.detector, edges, center_px))
    advice.emplace_back(
        "projections are cut off at the detector's edge: values near the edge of the field of view will be too high");
  return advice;
}

}  // namespace backlit
