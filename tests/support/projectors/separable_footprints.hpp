// Separable footprints (Long, Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839), forward projection in
// double precision: a simple reference for distance-driven projection.
//
// A voxel's footprint on the detector is modelled as F(column) G(row) l. F is a trapezoid of height 1; its four
// vertices are the projections of the voxel's four upright edges. G also has height 1. It is a rectangle between the
// projected middles of the voxel's lower and upper face (SF-TR), or a trapezoid whose flanks span the projections of
// their corners (SF-TT). The factor l is the length of the ray through the cell's middle in an infinite slab as wide as
// the voxel. The slab is perpendicular to x or y, whichever the ray crosses faster. It is computed for each cell, not
// for each voxel. A cell holds the mean.
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

/// A trapezoid of height 1; two vertices may coincide.
class Trapezoid {
 public:
  explicit Trapezoid(std::array<double, 4> vertices) : at_(vertices) { std::ranges::sort(at_); }

  double first() const { return at_.front(); }
  double last() const { return at_.back(); }
  double between(double from, double to) const { return below(to) - below(from); }

 private:
  /// Integral up to x of a function that is 0 left of a, 1 right of b, and linear between.
  static double ramp(double a, double b, double x) {
    if (x >= b) return x - (a + b) / 2;
    return x <= a ? 0 : (x - a) * (x - a) / (2 * (b - a));
  }
  double below(double x) const { return ramp(at_[0], at_[1], x) - ramp(at_[2], at_[3], x); }

  std::array<double, 4> at_;
};

/// The length l for every cell.
inline std::vector<double> lengths_in_slabs(const Detector& d, const View& view, const Vec3& voxel) {
  std::vector<double> lengths;
  for (std::int64_t r = 0; r < d.rows; ++r)
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const Vec3 ray = ray_direction(d, view, static_cast<double>(c), static_cast<double>(r));
      lengths.push_back(std::min(voxel.x / std::abs(ray.x), voxel.y / std::abs(ray.y)));
    }
  return lengths;
}

/// Projects one view; its columns must run along z.
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
