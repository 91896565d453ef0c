#include "model/actions/geometry_edit.hpp"

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

Scan placed(Scan scan, const GeometryState& g) {
  const bool tilted = g.tilt_u != 0 || g.tilt_v != 0 || g.tilt_n != 0;
  if (tilted && scan.detector.shape == Detector::Shape::curved)
    throw InputError("tilt", "curved detectors cannot be tilted", "set the tilts to 0");
  for (View& view : scan.views) {
    view.center -= g.offset_v * view.v;
    if (tilted) tilt(view, g);
  }
  return scan;
}

Scan adjusted(const Scan& scan, const GeometryState& g) {
  return placed(g.center_shift == 0 ? scan : with_center(scan, center_of(scan) + g.center_shift), g);
}

SessionOptions session_options(const ReconState& recon, const GeometryState& geometry, const GridState& grid,
                               double center_px) {
  SessionOptions options;
  options.preparation.corrections = recon.corrections;
  if (geometry.center_shift != 0) options.preparation.center = center_px + geometry.center_shift;
  options.grid.size = grid.size;
  options.grid.voxel = Vec3(grid.voxel);
  options.device.backend = recon.backend;
  return options;
}

}  // namespace backlit::viewer
