#include "preprocess/row_weight.hpp"

#include <cmath>

#include "projector/make_view_map.hpp"

namespace backlit {

RowWeight<double> row_weight(const Detector& d, const View& view, std::int64_t row) {
  if (view.beam == Beam::parallel) {
    const double level = std::hypot(view.direction.x, view.direction.y);
    const double across = std::abs(view.u.x * view.direction.y - view.u.y * view.direction.x);
    return {level * level / across, 0, 1, 0, 0};
  }
  const double radius = axis_distance(view), distance = detector_normal(view).distance;
  const double width = std::hypot(view.u.x, view.u.y);
  Vec3 level_normal = Vec3(view.u.y, -view.u.x, 0) / width;
  if (glm::dot(level_normal, view.source) > 0) level_normal = -level_normal;
  const Vec3 first = detector_point(d, view, 0, static_cast<double>(row)) - view.source;
  const Vec3 axis(-view.source.x, -view.source.y, 0);
  const double scale = distance * distance / (radius * radius * glm::dot(level_normal, first) * width);
  return {scale * glm::dot(axis, first), scale * glm::dot(axis, view.u), glm::dot(first, first),
          2 * glm::dot(first, view.u), glm::dot(view.u, view.u)};
}

}  // namespace backlit
