#include "model/sources/source_camera.hpp"

#include <algorithm>
#include <cmath>

namespace backlit::viewer {
namespace {

const double least_cosine = std::cos(80 * radians_per_degree);

Detector flat_one(const Detector& d, const View& view) {
  if (d.shape == Detector::Shape::flat) return d;
  const Vec3 normal = detector_normal(view).normal;
  double columns = 0, rows = 0;  // largest distance of a ray from the middle
  for (const double row : {-0.5, static_cast<double>(d.rows) - 0.5})
    for (int i = 0; i <= 8; ++i) {
      const double column = static_cast<double>(d.columns) * i / 8 - 0.5;
      const Vec3 point = detector_point(d, view, column, row), ray = ray_direction(d, view, column, row);
      // Extend the ray to the plane through the middle.
      const double steps = glm::dot(view.center - point, normal) / std::max(glm::dot(ray, normal), least_cosine);
      const Vec3 from_middle = point + steps * ray - view.center;
      columns = std::max(columns, std::abs(glm::dot(from_middle, view.u)) / glm::dot(view.u, view.u));
      rows = std::max(rows, std::abs(glm::dot(from_middle, view.v)) / glm::dot(view.v, view.v));
    }
  Detector flat = d;
  flat.shape = Detector::Shape::flat;
  flat.radius = 0;
  flat.columns = std::max<std::int64_t>(1, std::llround(std::ceil(2 * columns - 1e-6)));
  flat.rows = std::max<std::int64_t>(1, std::llround(std::ceil(2 * rows - 1e-6)));
  return flat;
}

}  // namespace

CameraRays source_camera(const Detector& d, const View& view, std::int64_t width, std::int64_t height) {
  return camera_rays(flat_one(d, view), view, width, height);
}

}  // namespace backlit::viewer
