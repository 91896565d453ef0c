#include "geometry/make_view_map.hpp"

#include <glm/gtc/matrix_access.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>

namespace backlit {
namespace {

void set_affine(double (&out)[4], const Vec3& direction, const Vec3& origin) {
  for (int i = 0; i < 3; ++i) out[i] = direction[i];
  out[3] = -glm::dot(direction, origin);
}

ViewMap<double> flat_map(const Detector& d, const View& view) {
  const ProjectionMatrix p = projection_matrix(d, view);
  ViewMap<double> m{};
  for (int i = 0; i < 4; ++i) {
    m.a[i] = p[i][0];
    m.b[i] = p[i][1];
    m.w[i] = p[i][2];
  }
  m.parallel = view.beam == Beam::parallel;
  return m;
}

/// The part for both beams: pixels on the cylinder, and a, b, w as mm along three directions (parallel beams replace
/// w). u and v need not be orthogonal.
ViewMap<double> cylinder_map(const Detector& d, const View& view, const glm::dmat3& basis, const Vec3& origin) {
  const glm::dmat3 dual = glm::inverse(basis);
  ViewMap<double> m{};
  set_affine(m.a, glm::row(dual, 0), origin);
  set_affine(m.b, glm::row(dual, 1), origin);
  set_affine(m.w, glm::row(dual, 2), origin);
  m.radius = cylinder_radius(d, view);
  m.column0 = d.middle_column();
  m.row0 = d.middle_row() - glm::dot(glm::row(dual, 1), view.center - origin) / glm::length(view.v);
  m.columns_per_radian = m.radius / glm::length(view.u);
  m.rows_per_mm = 1 / glm::length(view.v);
  m.kind = DetectorKind::cylinder;
  return m;
}

ViewMap<double> curved_map(const Detector& d, const View& view) {
  const Vec3 normal = detector_normal(view).normal;
  const glm::dmat3 basis(glm::normalize(view.u), glm::normalize(view.v), normal);
  ViewMap<double> m = cylinder_map(d, view, basis, view.source);
  const Vec3 axis = glm::inverse(basis) * (view.center - m.radius * normal - view.source);
  m.axis_side = axis.x;
  m.axis_depth = axis.z;
  if (std::hypot(axis.x, axis.z) < 1e-9 * m.radius) m.kind = DetectorKind::focused;
  return m;
}

/// The frame is turned about the cylinder's axis so that its third direction is that of the rays.
ViewMap<double> curved_parallel_map(const Detector& d, const View& view) {
  const Vec3 along_u = glm::normalize(view.u), along_v = glm::normalize(view.v), normal = detector_normal(view).normal;
  const Vec3 ray = glm::inverse(glm::dmat3(along_u, along_v, normal)) * glm::normalize(view.direction);
  if (std::abs(ray.y) > 1e-9)
    throw Unsupported("curved detector", "parallel rays that are not perpendicular to its axis", "use a flat detector");
  const double turn = std::atan2(ray.x, ray.z);
  const Vec3 across = std::cos(turn) * along_u - std::sin(turn) * normal;
  const Vec3 axis = view.center - cylinder_radius(d, view) * normal;
  ViewMap<double> m = cylinder_map(d, view, glm::dmat3(across, along_v, view.direction), axis);
  m.column0 += m.columns_per_radian * turn;
  m.w[0] = m.w[1] = m.w[2] = 0;
  m.w[3] = 1;
  m.parallel = 1;
  return m;
}

}  // namespace

ViewMap<double> make_view_map(const Detector& d, const View& view) {
  if (d.shape == Detector::Shape::flat) return flat_map(d, view);
  return view.beam == Beam::parallel ? curved_parallel_map(d, view) : curved_map(d, view);
}

ViewMap<double> in_voxels(const ViewMap<double>& map, const Vec3& origin, const Vec3& spacing) {
  ViewMap<double> m = map;
  for (double(*row)[4] : {&m.a, &m.b, &m.w})
    for (int i = 0; i < 3; ++i) {
      (*row)[3] += (*row)[i] * origin[i];
      (*row)[i] *= spacing[i];
    }
  return m;
}

ViewMap<float> to_float(const ViewMap<double>& map) {
  ViewMap<float> m{};
  for (int i = 0; i < 4; ++i) {
    m.a[i] = static_cast<float>(map.a[i]);
    m.b[i] = static_cast<float>(map.b[i]);
    m.w[i] = static_cast<float>(map.w[i]);
  }
  m.kind = map.kind;
  m.parallel = map.parallel;
  m.column0 = static_cast<float>(map.column0);
  m.row0 = static_cast<float>(map.row0);
  m.columns_per_radian = static_cast<float>(map.columns_per_radian);
  m.rows_per_mm = static_cast<float>(map.rows_per_mm);
  m.radius = static_cast<float>(map.radius);
  m.axis_depth = static_cast<float>(map.axis_depth);
  m.axis_side = static_cast<float>(map.axis_side);
  return m;
}

double axis_distance(const View& view) {
  if (view.beam == Beam::parallel) return 1;
  const Vec3 e = detector_normal(view).normal;
  return -(e.x * view.source.x + e.y * view.source.y);
}

}  // namespace backlit
