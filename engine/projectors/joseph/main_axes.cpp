#include "projectors/joseph/main_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <backlit/core/error.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace {

template <class F>
void for_border(const Detector& d, F&& look) {
  for (std::int64_t column = 0; column < d.columns; ++column)
    for (std::int64_t row : {std::int64_t{0}, d.rows - 1}) look(column, row);
  for (std::int64_t row = 1; row < d.rows - 1; ++row)
    for (std::int64_t column : {std::int64_t{0}, d.columns - 1}) look(column, row);
}

bool on_detector(const Detector& d, const DetectorPosition<double>& at) {
  return at.column > -1 && at.column < static_cast<double>(d.columns) && at.row > -1 &&
         at.row < static_cast<double>(d.rows);
}

/// Ties between x and y, as at 45 degrees, alternate from quarter turn to quarter turn, as packing orbit needs them.
int facing_axis(const View& view, const VolumeGrid& grid) {
  const Vec3 n = detector_normal(view).normal / grid.spacing;
  const int axis = main_axis({n.x, n.y, n.z});
  const bool tie = std::abs(std::abs(n.x) - std::abs(n.y)) <= 2e-6 * std::abs(n.x);
  return axis == 2 || !tie ? axis : n.x * n.y < 0 ? 0 : 1;
}

/// Whether a cone's ray passes within a voxel of the grid.
bool meets(const Ray<double>& ray, const VolumeGrid& grid) {
  double from = 0, to = 1e30;
  for (std::size_t i = 0; i < 3; ++i)
    narrow(ray.origin[i], ray.direction[i], -1.0, static_cast<double>(grid.size[i]), from, to);
  return from <= to;
}

/// Voxels sideways from slice to slice: the largest number among the rays given to look().
class Steepest {
 public:
  explicit Steepest(int axis) : axis_(axis) {}

  void look(const double (&steps)[3]) {
    const double main = steps[axis_], aside = std::hypot(steps[(axis_ + 1) % 3], steps[(axis_ + 2) % 3]);
    voxels_ = std::max(voxels_, aside / std::abs(main));
    (main > 0 ? upwards_ : downwards_) = true;
    too_steep_ |= too_steep(steps, axis_) || (upwards_ && downwards_);
  }
  bool is_too_steep() const { return too_steep_; }
  double degrees() const { return upwards_ && downwards_ ? 90 : std::atan(voxels_) * 180 / pi; }

 private:
  int axis_;
  double voxels_ = 0;
  bool upwards_ = false, downwards_ = false, too_steep_ = false;
};

// The rays that are not too steep form a convex cone around each direction of the axis. The rays that meet both grid
// and detector form another cone. Suppose a ray of the second cone leaves the first one. Then so does a ray through a
// corner of the grid or at the detector's border, or such rays run in both directions.
Steepest steepest(const Detector& d, const View& view, const VolumeGrid& grid, int axis) {
  const RayFrame<double> frame = make_ray_frame(d, view, grid);
  Steepest most(axis);
  const auto ray_of = [&](std::int64_t column, std::int64_t row) {
    return make_ray(frame, static_cast<double>(column), static_cast<double>(row));
  };
  if (frame.parallel) {
    most.look(ray_of(0, 0).direction);
    return most;
  }
  for_border(d, [&](std::int64_t column, std::int64_t row) {
    const Ray<double> ray = ray_of(column, row);
    if (meets(ray, grid)) most.look(ray.direction);
  });
  const auto map = make_view_map(d, view);
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](std::size_t i) { return corner >> i & 1 ? static_cast<double>(grid.size[i]) : -1.0; };
    const Vec3 p = grid.voxel_center(end(0), end(1), end(2));
    DetectorPosition<double> at;
    if (!project_voxel(map, p.x, p.y, p.z, at) || !on_detector(d, at)) continue;
    const Vec3 steps = (p - view.source) / grid.spacing;
    most.look({steps.x, steps.y, steps.z});
  }
  return most;
}

/// A convex cone of directions, by its edges in their order.
class Cone {
 public:
  explicit Cone(std::initializer_list<Vec3> edges) {
    for (const Vec3& edge : edges) edges_[count_++] = edge;
  }

  /// Leaves the directions d for which dot(normal, d) >= 0 (Sutherland and Hodgman, Commun. ACM 17 (1974) 32).
  void cut(const Vec3& normal) {
    const std::array<Vec3, most> before = edges_;
    const std::size_t all = std::exchange(count_, 0);
    for (std::size_t i = 0; i < all; ++i) {
      const Vec3 &from = before[i], &to = before[(i + 1) % all];
      const double a = glm::dot(normal, from), b = glm::dot(normal, to);
      if (a >= 0) edges_[count_++] = from;
      if ((a >= 0) != (b >= 0)) edges_[count_++] = (a * to - b * from) / (a - b);
    }
  }
  bool empty() const { return count_ == 0; }

 private:
  static constexpr std::size_t most = 24;  ///< a cut adds one edge, or a few to a flat cone by rounding
  std::array<Vec3, most> edges_{};
  std::size_t count_ = 0;
};

/// Single precision may decide a near tie otherwise.
constexpr double near_tie = 0.9999;

/// The rays with main axis m form a convex cone around each direction of the axis.
unsigned main_axes_of_flat(const Detector& d, const RayFrame<double>& frame) {
  const auto corner = [&](std::int64_t column, std::int64_t row) {
    const auto ray = make_ray(frame, static_cast<double>(column), static_cast<double>(row));
    return Vec3(ray.direction[0], ray.direction[1], ray.direction[2]);
  };
  const Cone rays({corner(0, 0), corner(d.columns - 1, 0), corner(d.columns - 1, d.rows - 1), corner(0, d.rows - 1)});
  unsigned axes = 0;
  for (int m = 0; m < 3; ++m)
    for (const double sense : {-1.0, 1.0}) {
      Cone some = rays;
      for (const int other : {(m + 1) % 3, (m + 2) % 3})
        for (const double side : {-near_tie, near_tie}) {
          Vec3 normal(0);
          normal[m] = sense;
          normal[other] = side;
          some.cut(normal);
        }
      if (!some.empty()) axes |= 1u << m;
    }
  return axes;
}

}  // namespace

// On a curved detector, too, they form a cone. So if such a ray meets the detector, then a ray at the detector's border
// has main axis m, or the ray along the axis meets the detector.
unsigned main_axes(const Detector& d, const View& view, const VolumeGrid& grid) {
  const RayFrame<double> frame = make_ray_frame(d, view, grid);
  unsigned axes = 0;
  const auto look = [&](std::int64_t column, std::int64_t row) {
    const auto ray = make_ray(frame, static_cast<double>(column), static_cast<double>(row));
    double most = 0;
    for (double step : ray.direction) most = std::max(most, std::abs(step));
    for (unsigned i = 0; i < 3; ++i)
      if (std::abs(ray.direction[i]) > near_tie * most) axes |= 1u << i;
  };
  if (frame.parallel) {
    look(0, 0);
    return axes;
  }
  if (d.shape == Detector::Shape::flat) return main_axes_of_flat(d, frame);
  for_border(d, look);
  const auto map = make_view_map(d, view);
  for (int m = 0; m < 3; ++m)
    for (double sense : {-1.0, 1.0}) {
      Vec3 p = view.source;
      p[m] += sense;
      DetectorPosition<double> at;
      if (project_voxel(map, p.x, p.y, p.z, at) && on_detector(d, at)) axes |= 1u << m;
    }
  return axes;
}

bool source_inside(const Scan& scan, const VolumeGrid& grid) {
  const Vec3 lower = grid.lower() - grid.spacing, upper = grid.upper() + grid.spacing;
  return std::ranges::any_of(scan.views, [&](const View& view) {
    return view.beam == Beam::cone && glm::all(glm::greaterThan(view.source, lower)) &&
           glm::all(glm::lessThan(view.source, upper));
  });
}

std::string steep_view(const Scan& scan, const VolumeGrid& grid) {
  for (std::size_t i = 0; i < scan.views.size(); ++i) {
    const int axis = facing_axis(scan.views[i], grid);
    if (const Steepest most = steepest(scan.detector, scan.views[i], grid, axis); most.is_too_steep())
      return fmt::format("no stack for view {}: it meets the grid at {:.0f} degrees to {}, more than {:.0f}", i,
                         most.degrees(), "xyz"[axis], std::atan(most_sideways) * 180 / pi);
  }
  return {};
}

std::vector<int> view_axes(const Scan& scan, const VolumeGrid& grid) {
  if (const std::string steep = steep_view(scan, grid); !steep.empty())
    throw Unsupported("stack", "there is " + steep, "use `stack` ray");
  std::vector<int> axes;
  for (const View& view : scan.views) axes.push_back(facing_axis(view, grid));
  return axes;
}

}  // namespace backlit
