#include "projector/make_view_map.hpp"

#include "geometry/matrix.hpp"

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
  return m;
}

}  // namespace

ViewMap<double> make_view_map(const Detector& d, const View& view) {
  const bool parallel = view.beam == Beam::parallel;
  if (d.shape == Detector::Shape::flat) {
    ViewMap<double> m = flat_map(d, view);
    m.parallel = parallel;
    return m;
  }
  const auto [normal, distance] = detector_normal(view);
  const Vec3 along_u = glm::normalize(view.u), along_v = glm::normalize(view.v);
  const Vec3 origin = parallel ? view.center : view.source;
  ViewMap<double> m{};
  set_affine(m.a, along_u, origin);
  set_affine(m.b, along_v, origin);
  set_affine(m.w, normal, origin);
  m.radius = d.radius > 0 ? d.radius : distance;
  m.axis_depth = distance - m.radius;
  // The middle of the detector need not lie straight before the source: shift rows by where D sits along v.
  m.column0 = d.middle_column();
  m.row0 = d.middle_row() - glm::dot(view.center - origin, along_v) / glm::length(view.v);
  m.columns_per_radian = m.radius / glm::length(view.u);
  m.rows_per_mm = 1 / glm::length(view.v);
  m.parallel = parallel;
  m.kind = !parallel && std::abs(m.axis_depth) < 1e-9 * m.radius
               ? DetectorKind::focused
               : DetectorKind::cylinder;
  return m;
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
  return m;
}

double axis_distance(const View& view) {
  if (view.beam == Beam::parallel) return 1;
  const Vec3 e = detector_normal(view).normal;
  return -(e.x * view.source.x + e.y * view.source.y);
}

}  // namespace backlit
