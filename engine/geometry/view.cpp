#include <backlit/geometry/view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

bool finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

const char* fault(const Detector& detector, const View& view, Beam beam) {
  if (view.beam != beam) return "its beam differs from the first view's";
  if (!finite(view.source) || !finite(view.direction) || !finite(view.center) || !finite(view.u) || !finite(view.v))
    return "it holds numbers that are not finite";
  const Vec3 area = glm::cross(view.u, view.v);
  const double scale = glm::length(view.u) * glm::length(view.v);
  if (!(glm::length(area) > 1e-9 * scale)) return "its u and v are zero or parallel to each other";
  const Vec3 ray = view.beam == Beam::parallel ? view.direction : view.center - view.source;
  if (!(glm::length(ray) > 0))
    return view.beam == Beam::parallel ? "its ray direction is zero" : "its source is on the detector";
  const double cosine = std::abs(glm::dot(area, ray)) / (glm::length(area) * glm::length(ray));
  if (!(cosine > 1e-6)) return "its rays run along the detector's plane";
  if (detector.shape == Detector::Shape::curved &&
      static_cast<double>(detector.columns) * glm::length(view.u) > 2 * pi * cylinder_radius(detector, view))
    return "its columns reach more than once around the cylinder of its curved detector";
  return nullptr;
}

}  // namespace

void Scan::check(const char* where) const {
  if (detector.columns < 1 || detector.rows < 1)
    throw InputError(where, fmt::format("a detector of {} x {} pixels", detector.columns, detector.rows),
                     "give at least one column and one row");
  if (!(detector.pixel_u > 0) || !(detector.pixel_v > 0) || !std::isfinite(detector.pixel_u) ||
      !std::isfinite(detector.pixel_v))
    throw InputError(where, fmt::format("pixels of {} x {} mm", detector.pixel_u, detector.pixel_v),
                     "give positive sizes");
  if (!(detector.radius >= 0) || !std::isfinite(detector.radius))
    throw InputError(where, fmt::format("a curved detector of radius {} mm", detector.radius),
                     "give a positive radius, or 0 for one focused on the source");
  if (detector.shape == Detector::Shape::curved && beam() == Beam::parallel && detector.radius == 0)
    throw InputError(where, "a curved detector of unknown radius: parallel beams have no source to focus on",
                     "give its radius in mm");
  if (views.empty()) throw InputError(where, "no views", "give at least one");
  for (std::size_t i = 0; i < views.size(); ++i)
    if (const char* reason = fault(detector, views[i], views.front().beam))
      throw InputError(where, fmt::format("view {} cannot be used: {}", i, reason));
}

DetectorNormal detector_normal(const View& view) {
  Vec3 normal = glm::normalize(glm::cross(view.u, view.v));
  if (view.beam == Beam::parallel) return {glm::dot(normal, view.direction) < 0 ? -normal : normal, 0.0};
  double distance = glm::dot(normal, view.center - view.source);
  if (distance < 0) {
    normal = -normal;
    distance = -distance;
  }
  return {normal, distance};
}

double elevation(const View& view) {
  if (view.beam == Beam::parallel) return std::asin(std::clamp(-view.direction.z, -1.0, 1.0));
  const double normal = -detector_normal(view).normal.z;
  const double center = -glm::normalize(view.center - view.source).z;
  if (normal * center <= 0) return 0;
  return std::asin(std::clamp(std::abs(normal) < std::abs(center) ? normal : center, -1.0, 1.0));
}

Vec3 point_on_axis(const View& view) {
  return {0, 0, view.source.z - std::hypot(view.source.x, view.source.y) * std::tan(elevation(view))};
}

double cylinder_radius(const Detector& detector, const View& view) {
  if (detector.radius > 0) return detector.radius;
  const Vec3 ray = view.center - view.source, along_v = glm::normalize(view.v);
  return glm::length(ray - glm::dot(ray, along_v) * along_v);
}

Vec3 detector_point(const Detector& detector, const View& view, double column, double row) {
  const double du = column - detector.middle_column();
  const double dv = row - detector.middle_row();
  if (detector.shape == Detector::Shape::flat) return view.center + du * view.u + dv * view.v;
  const Vec3 normal = detector_normal(view).normal;
  const double radius = cylinder_radius(detector, view);
  const double width = glm::length(view.u);
  const double angle = du * width / radius;
  // The cylinder's axis is `radius` in front of the centre. The arc runs from the centre along u and bends towards the
  // source.
  return view.center + radius * (std::sin(angle) / width) * view.u - radius * (1 - std::cos(angle)) * normal +
         dv * view.v;
}

Vec3 ray_direction(const Detector& detector, const View& view, double column, double row) {
  if (view.beam == Beam::parallel) return view.direction;
  return glm::normalize(detector_point(detector, view, column, row) - view.source);
}

}  // namespace backlit
