#include "scan_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace backlit::cli {
namespace {

/// What one view holds at its outermost columns, as shares of its largest value.
struct Sides {
  double left = 0, right = 0;
};

Sides sides_of(std::span<const float> view, const Detector& d) {
  const std::int64_t width = std::max<std::int64_t>(1, d.columns / 100);  // narrow, but more than one bad column
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

/// Whether a quarter of the views goes on beyond the detector. A displaced detector ends inside the object on its short
/// side by design: only its long side counts.
bool are_cut_off(ProjectionSource& source, double center_px) {
  const Detector& d = source.scan().detector;
  const std::int64_t views = source.scan().view_count(), looks = std::min<std::int64_t>(16, views);
  const double shift = (center_px - d.middle_column()) / static_cast<double>(d.columns);
  std::vector<float> view(static_cast<std::size_t>(d.pixels()));
  std::int64_t cut = 0;
  for (std::int64_t i = 0; i < looks; ++i) {
    source.read(i * views / looks, 1, view);
    const Sides sides = sides_of(view, d);
    const double left = shift < -0.05 ? 0 : sides.left, right = shift > 0.05 ? 0 : sides.right;
    if (std::max(left, right) > 0.05) ++cut;
  }
  return 4 * cut >= looks;
}

}  // namespace

void advise_on_fdk(ProjectionSource& source, double center_px, const Console& console) {
  if (console.quiet) return;
  const std::int64_t views = source.scan().view_count(), columns = source.scan().detector.columns;
  if (const std::int64_t needed = std::max<std::int64_t>(16, columns / 20); views < needed)
    console.warn(
        fmt::format("{} {} of {} columns {} too few for FDK (say {}): expect streaks; --method sirt or cgls "
                    "does better with few",
                    views, views == 1 ? "view" : "views", columns, views == 1 ? "is" : "are", needed));
  if (columns > 1 && are_cut_off(source, center_px))
    console.warn(
        "projections are cut off at the detector's edge: values near the edge of the field of view will be too high");
}

}  // namespace backlit::cli
