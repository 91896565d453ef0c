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

PositionWeight position_weight(const Detector& d, const View& view, std::int64_t row) {
  if (d.shape == Detector::Shape::flat || view.beam == Beam::parallel) {
    const RowWeight<double> w = row_weight(d, view, row);
    return {{w.a0, w.a1, 0}, {w.q0, w.q1, w.q2}};
  }
  const Vec3 axis(-view.source.x, -view.source.y, 0);
  const double radius = axis_distance(view);
  const double scale = detector_normal(view).distance / (radius * radius * std::hypot(view.u.x, view.u.y));
  // Points of a cylinder are linear in sine and cosine, and so are products with them and their squares.
  const double quarter = 0.5 * pi * cylinder_radius(d, view) / glm::length(view.u);  // columns
  const auto from_source = [&](double turn) {
    return detector_point(d, view, d.middle_column() + turn * quarter, static_cast<double>(row)) - view.source;
  };
  const auto on_basis = [&](auto&& f) {
    const double middle = f(from_source(0)), left = f(from_source(-1)), right = f(from_source(1));
    return Vec3(middle, 0.5 * (right - left), 0.5 * (right + left) - middle);
  };
  return {scale * on_basis([&](const Vec3& p) { return glm::dot(axis, p); }),
          on_basis([](const Vec3& p) { return glm::dot(p, p); })};
}

}  // namespace backlit
