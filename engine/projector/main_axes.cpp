#include "projector/main_axes.hpp"

#include <algorithm>
#include <cmath>

#include "projector/make_ray_frame.hpp"
#include "projector/make_view_map.hpp"

namespace backlit {

// Rays with main axis m form a convex cone about each sense of the axis, so if any of them meets the detector, then one
// at the detector's border or the one along the axis itself does.
unsigned main_axes(const Detector& d, const View& view, const VolumeGrid& grid) {
  const RayFrame<double> frame = make_ray_frame(d, view, grid);
  unsigned axes = 0;
  const auto look = [&](std::int64_t column, std::int64_t row) {
    const auto ray = make_ray(frame, static_cast<double>(column), static_cast<double>(row));
    double most = 0;
    for (double step : ray.direction) most = std::max(most, std::abs(step));
    // Single precision may decide a near tie another way.
    for (unsigned i = 0; i < 3; ++i)
      if (std::abs(ray.direction[i]) > 0.9999 * most) axes |= 1u << i;
  };
  if (frame.parallel) {
    look(0, 0);
    return axes;
  }
  for (std::int64_t column = 0; column < d.columns; ++column)
    for (std::int64_t row : {std::int64_t{0}, d.rows - 1}) look(column, row);
  for (std::int64_t row = 1; row < d.rows - 1; ++row)
    for (std::int64_t column : {std::int64_t{0}, d.columns - 1}) look(column, row);
  const auto map = make_view_map(d, view);
  for (int m = 0; m < 3; ++m)
    for (double sense : {-1.0, 1.0}) {
      Vec3 p = view.source;
      p[m] += sense;
      DetectorPosition<double> at;
      if (project_voxel(map, p.x, p.y, p.z, at) && at.column > -1 && at.column < static_cast<double>(d.columns) &&
          at.row > -1 && at.row < static_cast<double>(d.rows))
        axes |= 1u << m;
    }
  return axes;
}

}  // namespace backlit
