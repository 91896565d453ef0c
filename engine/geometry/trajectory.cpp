#include <backlit/geometry/trajectory.hpp>

#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace backlit {
namespace {

Vec3 turned(const Vec3& a, double degrees, const Vec3& axis) {
  return Vec3(glm::rotate(glm::dmat4(1), degrees * radians_per_degree, axis) * glm::dvec4(a, 0));
}

/// Slides a curved detector along its arc, about the axis of its cylinder, by `columns` against u. Column c becomes
/// column c + columns, and the focus stays the same.
void slide_along_arc(View& view, const Detector& d, double columns) {
  const double radius = cylinder_radius(d, view), width = glm::length(view.u);
  const Vec3 normal = detector_normal(view).normal, along_u = view.u / width;
  const double angle = -columns * width / radius;
  view.center += radius * (std::sin(angle) * along_u - (1 - std::cos(angle)) * normal);
  view.u = width * (std::cos(angle) * along_u - std::sin(angle) * normal);
}

/// Turns u and v about the detector's centre. Then moves the centre so that the axis projects to the pixel that the
/// offsets give.
void place(View& view, const Detector& d, const DetectorPlacement& p) {
  const Vec3 about_u = glm::normalize(view.u);
  view.v = turned(view.v, p.tilt_u, about_u);
  const Vec3 about_v = glm::normalize(view.v);
  view.u = turned(view.u, p.tilt_v, about_v);
  const Vec3 about_n = glm::normalize(glm::cross(view.u, view.v));
  view.u = turned(view.u, p.tilt_n, about_n);
  view.v = turned(view.v, p.tilt_n, about_n);
  if (d.shape == Detector::Shape::curved)
    slide_along_arc(view, d, p.offset_u);
  else
    view.center -= p.offset_u * view.u;
  view.center -= p.offset_v * view.v;
}

/// A view whose rays come from azimuth `phi` and elevation `theta`; source_to_axis 0 means parallel.
View ideal_view(const Detector& d, double phi, double theta, double source_to_axis, double source_to_detector) {
  const Vec3 to_source(std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta));
  const Vec3 along_u(-std::sin(phi), std::cos(phi), 0);
  View view;
  view.u = d.pixel_u * along_u;
  view.v = d.pixel_v * glm::cross(to_source, along_u);
  if (source_to_axis > 0) {
    view.source = source_to_axis * to_source;
    view.center = (source_to_axis - source_to_detector) * to_source;
  } else {
    view.beam = Beam::parallel;
    view.direction = -to_source;
  }
  return view;
}

}  // namespace

void place_first_pixel(DetectorPlacement& placement, bool at_top, bool at_right) {
  placement.tilt_u = at_top != at_right ? 180 : 0;  // seen from behind
  placement.tilt_n = at_right ? 180 : 0;            // upside down
}

std::vector<double> equal_angles(std::int64_t views, double start_deg, double arc_deg) {
  std::vector<double> angles;
  for (std::int64_t i = 0; i < views; ++i)
    angles.push_back(start_deg + arc_deg * static_cast<double>(i) / static_cast<double>(views));
  return angles;
}

std::vector<View> laminographic_views(const Detector& d, const std::vector<double>& angles_deg, double source_to_axis,
                                      double source_to_detector, double elevation_deg,
                                      const DetectorPlacement& placement) {
  std::vector<View> views;
  for (double angle : angles_deg) {
    views.push_back(ideal_view(d, angle * radians_per_degree, elevation_deg * radians_per_degree, source_to_axis,
                               source_to_detector));
    place(views.back(), d, placement);
  }
  return views;
}

std::vector<View> circular_views(const Detector& d, const std::vector<double>& angles_deg, double source_to_axis,
                                 double source_to_detector, const DetectorPlacement& placement) {
  return laminographic_views(d, angles_deg, source_to_axis, source_to_detector, 0, placement);
}

std::vector<View> parallel_views(const Detector& d, const std::vector<double>& angles_deg,
                                 const DetectorPlacement& placement) {
  return laminographic_views(d, angles_deg, 0, 0, 0, placement);
}

std::vector<View> helical_views(const Detector& d, const std::vector<double>& angles_deg, double source_to_axis,
                                double source_to_detector, double pitch, double start_z,
                                const DetectorPlacement& placement) {
  auto views = circular_views(d, angles_deg, source_to_axis, source_to_detector, placement);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Vec3 lift(0, 0, start_z + pitch * (angles_deg[i] - angles_deg[0]) / 360);
    views[i].source += lift;
    views[i].center += lift;
  }
  return views;
}

}  // namespace backlit
