#include "preprocess/filter/widened_scan.hpp"

#include <cmath>

namespace backlit {

Scan widened(const Scan& scan, std::int64_t left, std::int64_t right) {
  Scan wide = scan;
  wide.detector.columns += left + right;
  const Detector& d = scan.detector;
  const double shift = 0.5 * static_cast<double>(right - left);  // shift of the middle, in columns
  for (View& view : wide.views) {
    const View old = view;
    view.center = detector_point(d, old, d.middle_column() + shift, d.middle_row());
    if (d.shape == Detector::Shape::flat) continue;
    const auto [normal, distance] = detector_normal(old);  // u is the tangent at the new middle
    const double width = glm::length(old.u), angle = shift * width / (d.radius > 0 ? d.radius : distance);
    view.u = std::cos(angle) * old.u - std::sin(angle) * width * normal;
  }
  return wide;
}

}  // namespace backlit
