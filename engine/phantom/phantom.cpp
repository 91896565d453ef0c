#include <backlit/phantom/phantom.hpp>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "phantom/body.hpp"

namespace backlit {
namespace {

void scale_body(Body& body, double length, double value) {
  body.center *= length;
  body.half *= length;
  body.value *= value;
  for (ClipPlane& plane : body.clips) plane.point *= length;
  for (Body& other : body.within) scale_body(other, length, value);
}

/// Adds one body's values at the samples x = first + m * step of a line along x. Each voxel has `per_voxel` samples.
void add_line(const Body& body, const Vec3& first, double step, int per_voxel, std::vector<double>& row) {
  const auto samples = static_cast<std::int64_t>(row.size()) * per_voxel;
  std::int64_t begin = 0, end = samples;
  const bool smooth = body.shape == Body::Shape::gaussian;
  if (!smooth) {
    const Interval inside = intersect(body, first, Vec3(1, 0, 0));
    if (inside.empty()) return;
    begin = static_cast<std::int64_t>(std::clamp(std::ceil(inside.begin / step), 0.0, static_cast<double>(samples)));
    end = static_cast<std::int64_t>(std::clamp(std::floor(inside.end / step) + 1, 0.0, static_cast<double>(samples)));
  }
  for (std::int64_t m = begin; m < end; ++m)
    row[static_cast<std::size_t>(m / per_voxel)] +=
        smooth ? value_at(body, first + Vec3(static_cast<double>(m) * step, 0, 0)) : body.value;
}

}  // namespace

Phantom scaled(Phantom phantom, double length, double value) {
  for (Body& body : phantom.bodies) scale_body(body, length, value);
  return phantom;
}

double value_at(const Phantom& phantom, const Vec3& point) {
  double sum = 0;
  for (const Body& body : phantom.bodies) sum += value_at(body, point);
  return sum;
}

double line_integral(const Phantom& phantom, const Vec3& origin, const Vec3& direction, double from, double to) {
  double sum = 0;
  for (const Body& body : phantom.bodies) sum += integrate(body, origin, direction, {from, to});
  return sum;
}

Volume voxelize(const Phantom& phantom, const VolumeGrid& grid, int supersampling, const Watch& watch) {
  grid.check("voxelize");
  if (supersampling < 1) throw InputError("voxelize", "supersampling below 1", "give 1 or more");
  std::vector<Capsule> bounds;
  for (const Body& body : phantom.bodies) bounds.push_back(bounding_capsule(body));

  Volume volume(grid);
  const Vec3 step = grid.spacing / static_cast<double>(supersampling);
  const auto fill_line = [&](std::int64_t j, std::int64_t k) {
    const Vec3 corner = grid.voxel_center(0, static_cast<double>(j), static_cast<double>(k)) - 0.5 * grid.spacing;
    const Bundle bundle{corner + 0.5 * grid.spacing, Vec3(1, 0, 0), 0.5 * std::hypot(grid.spacing.y, grid.spacing.z), 0,
                        1};
    std::vector<double> row(static_cast<std::size_t>(grid.size[0]));
    for (std::size_t b = 0; b < bounds.size(); ++b) {
      if (!bounds[b].may_touch(bundle)) continue;
      for (int sz = 0; sz < supersampling; ++sz)
        for (int sy = 0; sy < supersampling; ++sy)
          add_line(phantom.bodies[b], corner + step * Vec3(0.5, sy + 0.5, sz + 0.5), step.x, supersampling, row);
    }
    const double share = 1.0 / (static_cast<double>(supersampling) * supersampling * supersampling);
    for (std::int64_t i = 0; i < grid.size[0]; ++i)
      volume.at(i, j, k) = static_cast<float>(share * row[static_cast<std::size_t>(i)]);
  };
  watch.begin("voxelize", grid.size[2], "slices");
  for (std::int64_t k = 0; k < grid.size[2]; ++k) {
    parallel_for(grid.size[1], [&](std::int64_t j) { fill_line(j, k); });
    watch.advance(1);
  }
  watch.end();
  return volume;
}

}  // namespace backlit
