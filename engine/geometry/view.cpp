#include "geometry/view.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace backlit {
namespace {

bool finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

const char* fault(const View& view, Beam beam) {
  if (view.beam != beam) return "its beam differs from the first view's";
  if (!finite(view.source) || !finite(view.direction) || !finite(view.center) || !finite(view.u) ||
      !finite(view.v))
    return "it holds numbers that are not finite";
  const Vec3 area = glm::cross(view.u, view.v);
  const double scale = glm::length(view.u) * glm::length(view.v);
  if (!(glm::length(area) > 1e-9 * scale)) return "its u and v are zero or parallel to each other";
  const Vec3 ray = view.beam == Beam::parallel ? view.direction : view.center - view.source;
  const double cosine = std::abs(glm::dot(area, ray)) / (glm::length(area) * glm::length(ray));
  if (!(cosine > 1e-6)) return "its rays run along the detector's plane";
  return nullptr;
}

}  // namespace

void Scan::check(const char* where) const {
  if (detector.columns < 1 || detector.rows < 1)
    throw InputError(where, fmt::format("a detector of {} x {} pixels", detector.columns, detector.rows),
                     "give at least one column and one row");
  if (views.empty()) throw InputError(where, "no views", "give at least one");
  for (std::size_t i = 0; i < views.size(); ++i)
    if (const char* reason = fault(views[i], views.front().beam))
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

Vec3 detector_point(const Detector& detector, const View& view, double column, double row) {
  const double du = column - detector.middle_column();
  const double dv = row - detector.middle_row();
  if (detector.shape == Detector::Shape::flat) return view.center + du * view.u + dv * view.v;
  const auto [normal, distance] = detector_normal(view);
  const double radius = detector.radius > 0 ? detector.radius : distance;
  const double width = glm::length(view.u);
  const double angle = du * width / radius;
  // The cylinder's axis lies `radius` before the centre; the arc runs from the centre along u towards the source.
  return view.center + radius * (std::sin(angle) / width) * view.u -
         radius * (1 - std::cos(angle)) * normal + dv * view.v;
}

Vec3 ray_direction(const Detector& detector, const View& view, double column, double row) {
  if (view.beam == Beam::parallel) return view.direction;
  return glm::normalize(detector_point(detector, view, column, row) - view.source);
}

}  // namespace backlit
