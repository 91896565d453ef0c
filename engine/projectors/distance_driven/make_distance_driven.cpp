#include "projectors/distance_driven/make_distance_driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr double level = 1e-6;       ///< relative to |u| or |v|: a larger tilt is refused
constexpr double least_share = 0.1;  ///< least part of a ray's direction along the main axis

[[noreturn]] void refuse(const char* where, const std::string& reason, const char* remedy) {
  throw Unsupported(where, "distance-driven projection: " + reason, remedy);
}

void require_upright(const Detector& d, const View& view, const char* where) {
  const bool tilted = std::hypot(view.v.x, view.v.y) > level * glm::length(view.v);
  if (std::abs(view.u.z) > level * glm::length(view.u) || (tilted && d.rows > 1))
    refuse(where, "the detector is tilted (its columns must run along z, its rows across)", "use `model` joseph");
}

/// Rays in units of voxels, relative to the slabs.
struct Sight {
  const VolumeGrid& grid;
  const View& view;
  int axis, across;

  bool parallel() const { return view.beam == Beam::parallel; }
  double first_plane() const { return grid.first_voxel()[axis]; }
  double in_voxels(double mm, int a) const { return (mm - grid.first_voxel()[a]) / grid.spacing[a] + 0.5; }
  /// The direction of the ray to this point of the detector.
  Vec3 ray(const Vec3& point) const { return parallel() ? view.direction : point - view.source; }

  /// The line in which the middles of the slabs meet the plane through the ray to `point` and the z direction.
  ColumnEdge<double> edge(const Vec3& point) const {
    const Vec3 d = ray(point), from = parallel() ? point : view.source;
    const double slope = d[across] / d[axis];
    return {in_voxels(from[across] + slope * (first_plane() - from[axis]), across),
            slope * grid.spacing[axis] / grid.spacing[across]};
  }

  /// `middle`: the point of the column at the middle of its rows; `height`: mm from row to row.
  RowEdges<double> column(const Vec3& middle, double height, double rows) const {
    const Vec3 d = ray(middle);
    const double slab = grid.spacing[axis], slice = grid.spacing.z;
    const double low = middle.z - 0.5 * rows * height;  // the first row's outer edge
    RowEdges<double> r{};
    if (parallel()) {
      const double rise = d.z / d[axis];
      r.base = in_voxels(low + rise * (first_plane() - middle[axis]), 2);
      r.base_per_slab = rise * slab / slice;
      r.step = height / slice;
    } else {
      const double start = (first_plane() - view.source[axis]) / d[axis], per_slab = slab / d[axis];
      r.base = in_voxels(view.source.z + (low - view.source.z) * start, 2);
      r.base_per_slab = (low - view.source.z) * per_slab / slice;
      r.step = height * start / slice;
      r.step_per_slab = height * per_slab / slice;
    }
    const double sideways = d[across] / d[axis];
    r.square_mm = slab * slab * (1 + sideways * sideways);
    r.mm = slice;
    return r;
  }
};

void require_in_front(const Sight& s, const Vec3& ray, const char* where) {
  const double along = ray[s.axis], length = std::hypot(ray.x, ray.y);
  if (!(std::abs(along) > least_share * length))
    refuse(where, "its rays leave the main axis by more than 84 degrees", "use `model` joseph");
  if (s.parallel()) return;
  const double first = s.first_plane() - s.view.source[s.axis];
  const double last =
      first + s.grid.spacing[s.axis] * static_cast<double>(s.grid.size[static_cast<std::size_t>(s.axis)] - 1);
  if (!(std::min(first * along, last * along) > 0))
    refuse(where, "the source is among the volume's slabs, or behind some", "give a smaller volume or another model");
}

}  // namespace

DistanceDrivenView make_distance_driven(const Detector& d, const View& view, const VolumeGrid& grid,
                                        const char* where) {
  require_upright(d, view, where);
  const Vec3 out = view.beam == Beam::parallel ? view.direction : view.source;
  const int axis = std::abs(out.x) < std::abs(out.y) ? 1 : 0;
  const Sight sight{grid, view, axis, 1 - axis};
  const auto point = [&](double column) { return detector_point(d, view, column, d.middle_row()); };
  const bool one_slice = d.rows == 1 && grid.size[2] == 1;

  DistanceDrivenView result{axis, false, {}, {}};
  result.edges.reserve(static_cast<std::size_t>(d.columns + 1));
  result.columns.reserve(static_cast<std::size_t>(d.columns));
  const double sense = sight.ray(point(d.middle_column()))[axis];
  for (std::int64_t c = 0; c <= d.columns; ++c) {
    const Vec3 edge = point(static_cast<double>(c) - 0.5);
    const Vec3 ray = sight.ray(edge);
    if (ray[axis] * sense < 0)
      refuse(where, "its rays leave the main axis by more than 84 degrees", "use `model` joseph");
    require_in_front(sight, ray, where);
    result.edges.push_back(sight.edge(edge));
    if (c == d.columns) break;
    RowEdges<double> column = sight.column(point(static_cast<double>(c)), view.v.z, static_cast<double>(d.rows));
    if (one_slice) column = {0, 0, 1, 0, column.square_mm, column.mm};
    result.columns.push_back(column);
  }
  // Rays from one source do not cross in front of it: the order at one slab is the order at all slabs.
  result.reversed = result.edges.front().first > result.edges.back().first;
  if (result.reversed) {
    std::ranges::reverse(result.edges);
    std::ranges::reverse(result.columns);
  }
  return result;
}

void require_distance_driven(const VolumeGrid& grid, const Scan& scan) {
  for (std::size_t i = 0; i < scan.views.size(); ++i)
    make_distance_driven(scan.detector, scan.views[i], grid, fmt::format("view {}", i).c_str());
}

}  // namespace backlit
