#include "preprocess/filter/position_weight.hpp"

#include <cmath>

#include "geometry/make_view_map.hpp"

namespace backlit {
namespace {

using Weight = PositionWeight<double>;

Weight parallel_weight(const View& view) {
  const double level = std::hypot(view.direction.x, view.direction.y);
  const double across = std::abs(view.u.x * view.direction.y - view.u.y * view.direction.x);
  return {{level * level / across, 0, 0}, 0, {1, 0, 0}, {}, 0, 1, 0};
}

Weight flat_weight(const Detector& d, const View& view) {
  const double radius = axis_distance(view), distance = detector_normal(view).distance;
  const double width = std::hypot(view.u.x, view.u.y);
  Vec3 level_normal = Vec3(view.u.y, -view.u.x, 0) / width;
  if (glm::dot(level_normal, view.source) > 0) level_normal = -level_normal;
  const Vec3 first = detector_point(d, view, 0, 0) - view.source, &u = view.u, &v = view.v;
  const Vec3 axis = distance * distance / (radius * radius * width) * Vec3(-view.source.x, -view.source.y, 0);
  return {{glm::dot(axis, first), glm::dot(axis, u), 0},
          glm::dot(axis, v),
          {glm::dot(first, first), 2 * glm::dot(first, u), glm::dot(u, u)},
          {2 * glm::dot(first, v), 2 * glm::dot(u, v), 0},
          glm::dot(v, v),
          glm::dot(level_normal, first),
          glm::dot(level_normal, v)};
}

/// Positions on a cylinder are linear in sine and cosine of the angle, and so are their dot products.
Weight curved_weight(const Detector& d, const View& view) {
  const double radius = axis_distance(view);
  const double scale = detector_normal(view).distance / (radius * radius * std::hypot(view.u.x, view.u.y));
  const Vec3 axis = scale * Vec3(-view.source.x, -view.source.y, 0);
  const double quarter = 0.5 * pi * cylinder_radius(d, view) / glm::length(view.u);  // columns
  Weight w{};
  const auto on_basis = [&](double(&out)[3], auto&& f) {
    const auto at = [&](double turn) {
      return f(detector_point(d, view, d.middle_column() + turn * quarter, 0) - view.source);
    };
    const double middle = at(0), left = at(-1), right = at(1);
    out[0] = middle;
    out[1] = 0.5 * (right - left);
    out[2] = 0.5 * (right + left) - middle;
  };
  on_basis(w.n, [&](const Vec3& p) { return glm::dot(axis, p); });
  on_basis(w.d, [&](const Vec3& p) { return glm::dot(p, p); });
  on_basis(w.d_row, [&](const Vec3& p) { return 2 * glm::dot(p, view.v); });
  w.n_row = glm::dot(axis, view.v);
  w.d_square = glm::dot(view.v, view.v);
  w.lean = 1;
  return w;
}

}  // namespace

PositionWeight<double> position_weight(const Detector& d, const View& view) {
  if (view.beam == Beam::parallel) return parallel_weight(view);
  return d.shape == Detector::Shape::flat ? flat_weight(d, view) : curved_weight(d, view);
}

PositionWeight<float> to_float(const PositionWeight<double>& w) {
  PositionWeight<float> f{};
  for (int i = 0; i < 3; ++i) {
    f.n[i] = static_cast<float>(w.n[i]);
    f.d[i] = static_cast<float>(w.d[i]);
    f.d_row[i] = static_cast<float>(w.d_row[i]);
  }
  f.n_row = static_cast<float>(w.n_row);
  f.d_square = static_cast<float>(w.d_square);
  f.lean = static_cast<float>(w.lean);
  f.lean_row = static_cast<float>(w.lean_row);
  return f;
}

}  // namespace backlit
