#include "model/geometry_edit.hpp"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include <backlit/core/error.hpp>
#include <backlit/preprocess/rotation_center.hpp>

namespace backlit::viewer {
namespace {

Vec3 turned(const Vec3& v, double degrees, const Vec3& axis) {
  return Vec3(glm::rotate(glm::dmat4(1), degrees * radians_per_degree, axis) * glm::dvec4(v, 0));
}

void tilt(View& view, const GeometryState& g) {
  const auto turn = [&](double degrees, const Vec3& axis) {
    if (degrees == 0) return;
    view.u = turned(view.u, degrees, axis);
    view.v = turned(view.v, degrees, axis);
  };
  turn(g.tilt_u, glm::normalize(view.u));
  turn(g.tilt_v, glm::normalize(view.v));
  turn(g.tilt_n, glm::normalize(glm::cross(view.u, view.v)));
}

}  // namespace

Scan adjusted(const Scan& scan, const GeometryState& g) {
  const bool tilted = g.tilt_u != 0 || g.tilt_v != 0 || g.tilt_n != 0;
  if (tilted && scan.detector.shape == Detector::Shape::curved)
    throw InputError("tilt", "curved detectors are not tilted here", "set the tilts to 0");
  Scan out = g.center_shift == 0 ? scan : with_center(scan, center_of(scan) + g.center_shift);
  for (View& view : out.views) {
    view.center -= g.offset_v * view.v;
    if (tilted) tilt(view, g);
  }
  return out;
}

VolumeGrid chosen_grid(const VolumeGrid& base, const GridState& state) {
  VolumeGrid grid = base;
  grid.center += state.center;
  const Vec3 extent = base.upper() - base.lower();
  const bool sized = std::any_of(state.size.begin(), state.size.end(), [](std::int64_t n) { return n > 0; });
  for (std::size_t a = 0; a < 3; ++a)
    if (state.size[a] > 0) grid.size[a] = state.size[a];
  if (state.voxel > 0) {
    grid.spacing = Vec3(state.voxel);
    for (int a = 0; a < 3; ++a) {
      auto& n = grid.size[static_cast<std::size_t>(a)];
      if (state.size[static_cast<std::size_t>(a)] == 0 && n > 1)
        n = std::max<std::int64_t>(1, std::llround(std::ceil(extent[a] / state.voxel - 1e-6)));
    }
  } else if (sized) {
    double side = 0;
    for (int a = 0; a < 3; ++a)
      if (const auto n = grid.size[static_cast<std::size_t>(a)]; n > 1 || side == 0)
        side = std::max(side, extent[a] / static_cast<double>(n));
    grid.spacing = Vec3(side);
  }
  grid.check("grid");
  return grid;
}

}  // namespace backlit::viewer
