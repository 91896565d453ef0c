#include <backlit/calibration/calibrated_number.hpp>

#include <cmath>
#include <limits>
#include <optional>

#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-9;  ///< less is the arithmetic's error, and 0
constexpr double follows = 1e-6;   ///< px, degrees, mm: a number that was left changes by more

/// The number that the parameter corrects, where it has a member of its own in the placement of the detector.
struct Placed {
  const char *parameter, *number;
  double DetectorPlacement::*member;
};
constexpr Placed placed[] = {{"column_offset", "column_offset_px", &DetectorPlacement::offset_u},
                             {"row_offset", "row_offset_px", &DetectorPlacement::offset_v},
                             {"in_plane", "in_plane_deg", &DetectorPlacement::tilt_n},
                             {"tilt_u", "tilt_u_deg", &DetectorPlacement::tilt_u},
                             {"tilt_v", "tilt_v_deg", &DetectorPlacement::tilt_v}};

CalibratedNumber source_to_axis(const View& first, const Calibration& found) {
  if (first.beam == Beam::parallel)
    return {"source_to_axis_mm", "mm", none, none, 0, false, "parallel beams have no source"};
  const double distance = glm::length(point_on_axis(first) - first.source), factor = found.correction.axis_distance;
  const bool known = found.scale_uncertainty > 0;
  return {"source_to_axis_mm",
          "mm",
          distance,
          distance * (1 - 1 / factor),
          distance / factor * found.scale_uncertainty,
          known,
          known ? "" : "no view determines it, it only scales the volume; measure a known length"};
}

}  // namespace

std::vector<CalibratedNumber> calibrated_numbers(const Calibration& found, const Scan& given) {
  const auto trajectory = find_trajectory(found.scan), before = find_trajectory(given);
  const View& first = found.scan.views.front();
  std::vector<CalibratedNumber> numbers;
  for (const CalibratedParameter& p : found.parameters) {
    CalibratedNumber n{p.name, p.unit, p.value, p.value, p.uncertainty, p.determined, p.reason};
    for (const auto& [parameter, number, member] : placed) {
      if (p.name != parameter) continue;
      n.name = number;
      if (!trajectory) continue;
      n.value = (*trajectory).placement.*member;
      if (!before) continue;
      n.change = n.value - (*before).placement.*member;
      if (!p.determined && std::abs(n.change) > follows)
        n.reason += "; it follows from the rotation of rows, or from shifts of views";
    }
    if (p.name == "detector_distance") {
      n.name = "source_to_detector_mm";
      n.unit = "mm";
      n.value = first.beam == Beam::parallel ? none
                : trajectory                 ? trajectory->source_to_detector
                                             : detector_normal(first).distance;
      n.change = trajectory && before ? n.value - before->source_to_detector : n.value * (1 - 1 / p.value);
      if (!p.determined && std::abs(n.change) > follows)
        n.reason += "; it follows from the others: it is where the central ray meets the detector";
      n.uncertainty = first.beam == Beam::parallel ? 0 : p.uncertainty * n.value;
    }
    for (double* const number : {&n.value, &n.change})
      if (std::abs(*number) < rounding) *number = 0;
    numbers.push_back(n);
  }
  numbers.push_back(source_to_axis(first, found));
  return numbers;
}

}  // namespace backlit
