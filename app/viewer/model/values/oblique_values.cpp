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
  // The picture from the projections comes later than the plane is moved: until then the volume's cut is shown.
  const ObliqueState& o = m.state().oblique;
  const auto& made = m.status().oblique;
  const CutPlane plane = oriented_plane(o.normal, o.up, "oblique slice");
  const bool same = made && made->texture && made->plane.center == o.center && made->plane.right == plane.right &&
                    made->plane.up == plane.up;
  return o.from_views && same ? values_of(*made) : cut_of_volume(m);
}

}  // namespace backlit::viewer
