#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace {

void store(double (&out)[3], const Vec3& from) {
  for (int i = 0; i < 3; ++i) out[i] = from[i];
}

}  // namespace

RayFrame<double> make_ray_frame(const Detector& d, const View& view, const VolumeGrid& grid) {
  const bool parallel = view.beam == Beam::parallel;
  const Vec3 first = grid.first_voxel();
  const auto [normal, distance] = detector_normal(view);
  RayFrame<double> f{};
  store(f.source, parallel ? glm::normalize(view.direction) : view.source - first);
  store(f.center, view.center - first);
  store(f.u, view.u);
  store(f.v, view.v);
  store(f.normal, normal);
  store(f.per_mm, 1.0 / grid.spacing);
  f.column0 = d.middle_column();
  f.row0 = d.middle_row();
  f.radius = d.shape == Detector::Shape::flat ? 0 : d.radius > 0 ? d.radius : distance;
  f.width = glm::length(view.u);
  f.parallel = parallel;
  return f;
}

RayFrame<float> to_float(const RayFrame<double>& from) {
  RayFrame<float> f{};
  for (int i = 0; i < 3; ++i) {
    f.source[i] = static_cast<float>(from.source[i]);
    f.center[i] = static_cast<float>(from.center[i]);
    f.u[i] = static_cast<float>(from.u[i]);
    f.v[i] = static_cast<float>(from.v[i]);
    f.normal[i] = static_cast<float>(from.normal[i]);
    f.per_mm[i] = static_cast<float>(from.per_mm[i]);
  }
  f.column0 = static_cast<float>(from.column0);
  f.row0 = static_cast<float>(from.row0);
  f.radius = static_cast<float>(from.radius);
  f.width = static_cast<float>(from.width);
  f.parallel = from.parallel;
  return f;
}

}  // namespace backlit
