#include <backlit/calibration/geometry_correction.hpp>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include <backlit/core/error.hpp>
#include <backlit/preprocess/rotation_center.hpp>

namespace backlit {
namespace {

void turn(View& view, double degrees, const Vec3& axis) {
  if (degrees == 0) return;
  const glm::dmat4 rotation = glm::rotate(glm::dmat4(1), degrees * radians_per_degree, axis);
  view.u = Vec3(rotation * glm::dvec4(view.u, 0));
  view.v = Vec3(rotation * glm::dvec4(view.v, 0));
}

/// Turns a view about the z axis from its angle to minus its angle.
void reverse(View& view) {
  const Vec3 from = view.beam == Beam::parallel ? -view.direction : view.source;
  const glm::dmat4 rotation = glm::rotate(glm::dmat4(1), -2 * std::atan2(from.y, from.x), Vec3(0, 0, 1));
  for (Vec3* part : {&view.source, &view.direction, &view.center, &view.u, &view.v})
    *part = Vec3(rotation * glm::dvec4(*part, 0));
}

}  // namespace

Scan corrected(const Scan& scan, const GeometryCorrection& c) {
  const bool tilted = c.tilt_u != 0 || c.tilt_v != 0 || c.in_plane != 0;
  if (scan.detector.shape == Detector::Shape::curved && (tilted || c.detector_distance != 1))
    throw InputError("tilt", "curved detectors are neither tilted nor moved here", "set tilts to 0 and distances to 1");
  if (!(c.detector_distance > 0)) throw InputError("detector_distance", "it must be positive", "1 leaves it as it is");
  if (!(c.axis_distance > 0)) throw InputError("axis_distance", "it must be positive", "1 leaves it as it is");
  Scan out = c.column_offset == 0 ? scan : with_center(scan, center_of(scan) + c.column_offset);
  for (View& view : out.views) {
    if (c.reversed) reverse(view);
    if (view.beam == Beam::cone && c.detector_distance != 1) {
      const DetectorNormal n = detector_normal(view);
      view.center += (c.detector_distance - 1) * n.distance * n.normal;
    }
    view.center -= c.row_offset * view.v;
    turn(view, c.tilt_u, glm::normalize(view.u));
    turn(view, c.tilt_v, glm::normalize(view.v));
    turn(view, c.in_plane, glm::normalize(glm::cross(view.u, view.v)));
    if (view.beam == Beam::cone && c.axis_distance != 1) {
      const Vec3 farther = (c.axis_distance - 1) * view.source;
      view.source += farther;
      view.center += farther;
    }
  }
  return out;
}

}  // namespace backlit
