#include "model/values/oblique_values.hpp"

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit::viewer {
namespace {

Plane values_of(const JobPicture& made) {
  const CutPlane& p = made.plane;
  Plane plane{p.width, p.height, p.pixel, p.pixel, {}};
  plane.values.resize(static_cast<std::size_t>(p.width * p.height));
  made.ready.wait_on_device();
  glGetTextureImage(made.texture.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * plane.values.size()),
                    plane.values.data());
  return plane;
}

/// The volume in a square that contains its whole cut.
Plane cut_of_volume(Model& m) {
  constexpr std::int64_t side = 512;
  const ObliqueState& o = m.state().oblique;
  const VolumeGrid& grid = m.status().grid;
  CutPlane cut = oriented_plane(o.normal, o.up, "oblique slice");
  cut.center = o.center;
  cut.pixel = glm::length(grid.upper() - grid.lower()) / static_cast<double>(side);
  cut.width = cut.height = side;
  std::vector<Vec3> points;
  for (std::int64_t i = 0; i < side * side; ++i)
    points.push_back(cut.point(static_cast<double>(i % side), static_cast<double>(i / side)));
  Plane plane{side, side, cut.pixel, cut.pixel, m.values_at(points)};
  for (float& v : plane.values)
    if (!std::isfinite(v)) v = 0;
  return plane;
}

}  // namespace

Plane oblique_shown(Model& m) {
  if (!m.state().oblique.shown || m.status().generation == 0)
    throw InputError("export oblique", "there is no oblique slice yet", "show one first, with the key O");
  const auto& made = m.status().oblique;
  return m.state().oblique.from_views && made && made->texture ? values_of(*made) : cut_of_volume(m);
}

}  // namespace backlit::viewer
