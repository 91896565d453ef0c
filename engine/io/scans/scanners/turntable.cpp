#include "io/scans/scanners/turntable.hpp"

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// Converts to degrees; rounding errors about 0 become 0.
double degrees(double radians) {
  const double angle = radians / radians_per_degree;
  if (std::abs(angle) < 1e-10) return 0;
  return angle <= -180 + 1e-10 ? angle + 360 : angle;
}

/// The tilts from the ideal detector (steps along_u and axis, normal to_source) to this one. DetectorPlacement gives
/// their order.
DetectorPlacement tilts_of(const Turntable& t, const Vec3& along_u, const Vec3& to_source) {
  const Vec3 u = glm::normalize(t.u), v = glm::normalize(t.v), n = glm::cross(u, v);
  DetectorPlacement p;
  p.tilt_u = degrees(std::atan2(-glm::dot(n, t.axis), glm::dot(n, to_source)));
  p.tilt_v = degrees(std::asin(std::clamp(glm::dot(n, along_u), -1.0, 1.0)));
  p.tilt_n = degrees(std::atan2(-glm::dot(v, along_u), glm::dot(u, along_u)));
  return p;
}

}  // namespace

Trajectory trajectory_of(const Turntable& given, std::vector<double> turns_deg, const std::string& where) {
  Turntable t = given;
  t.axis = glm::normalize(t.axis);
  const bool cone = t.beam == Beam::cone;
  const Vec3 seen = cone ? t.source - t.axis_point : -t.direction;
  const Vec3 origin = cone ? t.axis_point + glm::dot(seen, t.axis) * t.axis : t.axis_point;
  const Vec3 out = seen - glm::dot(seen, t.axis) * t.axis;
  const double distance = glm::length(out);
  if (!(distance > 0)) throw InputError(where, "the source lies on the rotation axis", "check the distances");
  const Vec3 to_source = out / distance, along_u = glm::cross(t.axis, to_source);

  Trajectory trajectory;
  trajectory.kind = cone ? Trajectory::Kind::circular : Trajectory::Kind::parallel;
  trajectory.angles_deg = std::move(turns_deg);
  for (double& angle : trajectory.angles_deg) angle += 0.0;  // -0 becomes 0
  trajectory.placement = tilts_of(t, along_u, to_source);
  // center - origin = -away to_source - offset_u u - offset_v v
  const Vec3 solved = glm::inverse(glm::dmat3(-to_source, -t.u, -t.v)) * (t.center - origin);
  trajectory.placement.offset_u = solved.y;
  trajectory.placement.offset_v = solved.z;
  if (cone) {
    trajectory.source_to_axis = distance;
    trajectory.source_to_detector = distance + solved.x;
  }
  return trajectory;
}

}  // namespace backlit
