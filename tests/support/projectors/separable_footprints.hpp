// Separable footprints (Long, Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839), forward, in double
// precision and written to be read: what distance-driven projection is compared with.
//
// A voxel's shadow on the detector is taken to be F(column) G(row) l. F is a trapezoid of height 1 whose four vertices
// are where the voxel's four upright edges are seen. G is of height 1 too: a rectangle between what the middles of the
// voxel's lower and upper face are seen at (SF-TR), or a trapezoid whose flanks span what their corners are seen at
// (SF-TT). l is the length of the ray through the cell's middle in an endless slab as wide as the voxel, perpendicular
// to whichever of x and y the ray crosses faster: worked out for each cell, not for each voxel. A cell holds the mean.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/geometry/view.hpp>
#include "geometry/make_view_map.hpp"

namespace backlit::test {

enum class Axial { rectangle, trapezoid };

/// Of height 1; two vertices may coincide.
class Trapezoid {
 public:
  explicit Trapezoid(std::array<double, 4> vertices) : at_(vertices) { std::ranges::sort(at_); }

  double first() const { return at_.front(); }
  double last() const { return at_.back(); }
  double between(double from, double to) const { return below(to) - below(from); }

 private:
  /// The integral up to x of what is 0 left of a, 1 right of b, and a straight line between.
  static double ramp(double a, double b, double x) {
    if (x >= b) return x - (a + b) / 2;
    return x <= a ? 0 : (x - a) * (x - a) / (2 * (b - a));
  }
  double below(double x) const { return ramp(at_[0], at_[1], x) - ramp(at_[2], at_[3], x); }

  std::array<double, 4> at_;
};

/// l of every cell.
inline std::vector<double> lengths_in_slabs(const Detector& d, const View& view, const Vec3& voxel) {
  std::vector<double> lengths;
  for (std::int64_t r = 0; r < d.rows; ++r)
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const Vec3 ray = ray_direction(d, view, static_cast<double>(c), static_cast<double>(r));
      lengths.push_back(std::min(voxel.x / std::abs(ray.x), voxel.y / std::abs(ray.y)));
    }
  return lengths;
}

/// One view; its columns must run along z.
inline std::vector<double> separable_footprints(const Volume& volume, const Detector& d, const View& view,
                                                Axial axial) {
  const VolumeGrid& g = volume.grid;
  const ViewMap<double> map = make_view_map(d, view);
  const std::vector<double> lengths = lengths_in_slabs(d, view, g.spacing);
  std::vector<double> cells(lengths.size(), 0.0);
  const auto seen = [&](const Vec3& middle, double x, double y, double z) {
    const Vec3 p = middle + 0.5 * g.spacing * Vec3(x, y, z);
    return project_point(map, p.x, p.y, p.z);
  };
  const auto add = [&](const Vec3& p, double value) {
    const Trapezoid across(
        {seen(p, -1, -1, 0).column, seen(p, 1, -1, 0).column, seen(p, -1, 1, 0).column, seen(p, 1, 1, 0).column});
    const auto face = [&](double z) -> std::pair<double, double> {
      if (axial == Axial::rectangle) return {seen(p, 0, 0, z).row, seen(p, 0, 0, z).row};
      return std::minmax({seen(p, -1, -1, z).row, seen(p, 1, -1, z).row, seen(p, -1, 1, z).row, seen(p, 1, 1, z).row});
    };
    const auto low = face(-1), high = face(1);
    const Trapezoid along({low.first, low.second, high.first, high.second});
    const auto first = [](double x) { return std::max<std::int64_t>(0, std::llround(x)); };
    const std::int64_t last_row = std::min<std::int64_t>(d.rows - 1, std::llround(along.last())),
                       last_column = std::min<std::int64_t>(d.columns - 1, std::llround(across.last()));
    for (std::int64_t r = first(along.first()); r <= last_row; ++r) {
      const auto row = static_cast<double>(r);
      const double height = along.between(row - 0.5, row + 0.5);
      for (std::int64_t c = first(across.first()); c <= last_column; ++c) {
        const auto cell = static_cast<std::size_t>(r * d.columns + c);
        const auto column = static_cast<double>(c);
        cells[cell] += value * lengths[cell] * height * across.between(column - 0.5, column + 0.5);
      }
    }
  };
  const float* value = volume.values.data();
  for (std::int64_t k = 0; k < g.size[2]; ++k)
    for (std::int64_t j = 0; j < g.size[1]; ++j)
      for (std::int64_t i = 0; i < g.size[0]; ++i, ++value)
        if (*value != 0)
          add(g.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)), double{*value});
  return cells;
}

}  // namespace backlit::test
