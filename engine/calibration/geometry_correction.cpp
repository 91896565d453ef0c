#include <backlit/calibration/geometry_correction.hpp>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/preprocess/rotation_center.hpp>

namespace backlit {
namespace {

/// Turns the detector about a point.
void turn(View& view, double degrees, const Vec3& axis, const Vec3& about) {
  if (degrees == 0) return;
  const glm::dmat4 rotation = glm::rotate(glm::dmat4(1), degrees * radians_per_degree, axis);
  view.u = Vec3(rotation * glm::dvec4(view.u, 0));
  view.v = Vec3(rotation * glm::dvec4(view.v, 0));
  view.center = about + Vec3(rotation * glm::dvec4(view.center - about, 0));
}

/// Radians about the axis.
double angle_of(const View& view) {
  const Vec3 from = view.beam == Beam::parallel ? -view.direction : view.source;
  return std::atan2(from.y, from.x);
}

Vec3 about_axis(const Vec3& a, double angle) {
  return {std::cos(angle) * a.x - std::sin(angle) * a.y, std::sin(angle) * a.x + std::cos(angle) * a.y, a.z};
}

/// The point about which each detector turns: the middle of all centres, as seen from the sources. Views that were
/// shifted one by one stay in one plane then. Detectors that do not lie in one plane turn about their own centres.
std::vector<Vec3> pivots_of(const std::vector<View>& views) {
  constexpr double least = 1e-6;  // of a pixel
  std::vector<Vec3> pivots;
  Vec3 middle(0);
  for (const View& view : views)
    middle += about_axis(view.center - view.source, -angle_of(view)) / static_cast<double>(views.size());
  bool one_plane = true;
  for (const View& view : views) {
    pivots.push_back(view.source + about_axis(middle, angle_of(view)));
    const Vec3 normal = glm::normalize(glm::cross(view.u, view.v)), apart = pivots.back() - view.center;
    one_plane = one_plane && std::abs(glm::dot(normal, apart)) <= least * glm::length(view.u);
  }
  if (!one_plane)
    for (std::size_t i = 0; i < views.size(); ++i) pivots[i] = views[i].center;
  return pivots;
}

/// Turns a view about the z axis from its angle to minus its angle.
void reverse(View& view) {
  const glm::dmat4 rotation = glm::rotate(glm::dmat4(1), -2 * angle_of(view), Vec3(0, 0, 1));
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
  }
  const std::vector<Vec3> pivots = tilted ? pivots_of(out.views) : std::vector<Vec3>();
  for (std::size_t i = 0; i < out.views.size(); ++i) {
    View& view = out.views[i];
    if (tilted) {
      turn(view, c.tilt_u, glm::normalize(view.u), pivots[i]);
      turn(view, c.tilt_v, glm::normalize(view.v), pivots[i]);
      turn(view, c.in_plane, glm::normalize(glm::cross(view.u, view.v)), pivots[i]);
    }
    if (view.beam == Beam::cone && c.axis_distance != 1) {
      const Vec3 farther = (c.axis_distance - 1) * view.source;
      view.source += farther;
      view.center += farther;
    }
  }
  return out;
}

}  // namespace backlit
