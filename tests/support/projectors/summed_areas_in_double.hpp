// Summed areas in double precision by independent code: shows the error of the method itself.
#pragma once

#include "geometry/make_view_map.hpp"
#include "projectors/distance_driven/make_distance_driven.hpp"
#include "support/projectors/one_view_back.hpp"
#include "support/projectors/summed_area_tables.hpp"

namespace backlit::test {

/// Sums below and left of any point. `less_means`: entries less the mean of their column (along), which is summed
/// separately.
class AreasInDouble {
 public:
  AreasInDouble(const Entries& entries, bool less_means)
      : across_(entries.across),
        along_(entries.along),
        sums_(static_cast<std::size_t>((across_ + 1) * (along_ + 1)), 0.0),
        levels_(static_cast<std::size_t>(across_ + 1), 0.0) {
    for (int c = 0; c < across_; ++c) {
      const double level = less_means ? entries.level(c) : 0;
      levels_[static_cast<std::size_t>(c + 1)] = levels_[static_cast<std::size_t>(c)] + level;
      double line = 0;
      for (int r = 0; r < along_; ++r) {
        line += entries.at(r, c) - level;
        sum(r + 1, c + 1) = sum(r + 1, c) + line;
      }
    }
  }

  double below(double c, double r) const {
    const int c0 = std::min(static_cast<int>(c), across_ - 1), r0 = std::min(static_cast<int>(r), along_ - 1);
    const double x = c - c0, y = r - r0;
    return (1 - y) * ((1 - x) * sum(r0, c0) + x * sum(r0, c0 + 1)) +
           y * ((1 - x) * sum(r0 + 1, c0) + x * sum(r0 + 1, c0 + 1));
  }
  /// Sum of the columns' means, for one entry along.
  double levels_below(double c) const {
    const auto c0 = static_cast<std::size_t>(std::min(static_cast<int>(c), across_ - 1));
    return levels_[c0] + (c - static_cast<double>(c0)) * (levels_[c0 + 1] - levels_[c0]);
  }

 private:
  std::size_t place(int r, int c) const { return static_cast<std::size_t>(r * (across_ + 1) + c); }
  double& sum(int r, int c) { return sums_[place(r, c)]; }
  double sum(int r, int c) const { return sums_[place(r, c)]; }

  int across_, along_;
  std::vector<double> sums_, levels_;
};

/// Projects one view. `shared_across`: edges of rows have the mean height of two columns, so that both can use a
/// corner. Otherwise footprints are rectangles, which is exact distance-driven projection.
inline std::vector<float> forward_in_double(const Volume& volume, const Scan& scan, bool shared_across,
                                            bool less_means) {
  const Detector& d = scan.detector;
  const DistanceDrivenView view = make_distance_driven(d, scan.views[0], volume.grid, "view");
  const Size3& n = volume.grid.size;
  const auto columns = static_cast<std::size_t>(d.columns), rows = static_cast<std::size_t>(d.rows);
  const auto across = static_cast<double>(n[view.axis == 0 ? 1 : 0]), slices = static_cast<double>(n[2]);
  std::vector<double> sums(columns * rows, 0.0);
  for (std::int64_t slab = 0; slab < n[static_cast<std::size_t>(view.axis)]; ++slab) {
    const AreasInDouble areas(entries_of_slab(volume, view.axis, slab, 0), less_means);
    const auto s = static_cast<double>(slab);
    for (std::size_t c = 0; c < columns; ++c) {
      const double q0 = view.edges[c].at(s), q1 = view.edges[c + 1].at(s);
      const double low = std::clamp(q0, 0.0, across), high = std::clamp(q1, 0.0, across);
      if (!(low < high)) continue;
      const auto height = [&](std::size_t column, std::size_t row) {
        const RowEdges<double>& e = view.columns[column];
        return std::clamp(e.base_at(s) + static_cast<double>(row) * e.step_at(s), 0.0, slices);
      };
      const auto below = [&](std::size_t row) {
        const double own = height(c, row);
        const double left = shared_across && c > 0 ? (height(c - 1, row) + own) / 2 : own,
                     right = shared_across && c + 1 < columns ? (own + height(c + 1, row)) / 2 : own;
        return areas.below(high, right) - areas.below(low, left) +
               (areas.levels_below(high) - areas.levels_below(low)) * own;
      };
      const RowEdges<double>& column = view.columns[c];
      const std::size_t place = view.reversed ? columns - 1 - c : c;
      for (std::size_t r = 0; r < rows; ++r)
        sums[r * columns + place] +=
            column.length(static_cast<double>(r)) * (below(r + 1) - below(r)) / ((q1 - q0) * column.step_at(s));
    }
  }
  return {sums.begin(), sums.end()};
}

/// Backprojects one view exactly by the method. The footprint is the rectangle between a voxel's edges across the view.
/// Its height is a mean over the middles of the columns that it meets, clipped to the detector. `shared_across`: an
/// alternative with corners at the edge between two adjacent voxels, so that both can use them. `less_means`: subtracts
/// the means of columns (along) before summing; rectangles do not change by that.
class InDouble {
 public:
  explicit InDouble(const OneViewBack& v, bool shared_across = false, bool less_means = false)
      : scan_(v.scan),
        grid_(v.grid),
        view_(make_distance_driven(scan_.detector, scan_.views[0], grid_, "view")),
        map_(in_voxels(make_view_map(scan_.detector, scan_.views[0]), grid_.first_voxel(), grid_.spacing)),
        columns_(static_cast<int>(scan_.detector.columns)),
        rows_(static_cast<int>(scan_.detector.rows)),
        shared_across_(shared_across),
        areas_(entries_of_view(view_, scan_.detector, v.image, false), less_means) {}

  std::vector<float> back() {
    const std::int64_t nx = grid_.size[0], ny = grid_.size[1], nz = grid_.size[2];
    std::vector<float> volume(static_cast<std::size_t>(grid_.voxels()), 0.0f);
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x) {
        const auto values = column(static_cast<double>(x), static_cast<double>(y));
        for (std::int64_t z = 0; z < nz; ++z)
          volume[static_cast<std::size_t>((z * ny + y) * nx + x)] =
              static_cast<float>(values[static_cast<std::size_t>(z)]);
      }
    return volume;
  }

 private:
  DetectorPosition<double> see(double x, double y, double z) const {
    auto at = project_point(map_, x, y, z);
    at.column = view_.reversed ? columns_ - (at.column + 0.5) : at.column + 0.5;
    at.row += 0.5;
    return at;
  }

  /// Computes all slices of the voxel column at x, y.
  std::vector<double> column(double x, double y) {
    std::vector<double> values(static_cast<std::size_t>(grid_.size[2]), 0.0);
    const double dx = view_.axis == 0 ? 0 : 0.5, dy = 0.5 - dx;
    const double c0 = see(x - dx, y - dy, 0).column, c1 = see(x + dx, y + dy, 0).column;
    const double low = std::clamp(c0, 0.0, double(columns_)), high = std::clamp(c1, 0.0, double(columns_));
    if (!(low < high)) return values;
    double middle = 0, square = 0;  // moments of the columns' middles, weighted by their overlap
    for (int c = static_cast<int>(low); c < high; ++c) {
      const double share = overlap<double>(low, high, c, c + 1) / (high - low);
      middle += share * (c + 0.5);
      square += share * (c + 0.5) * (c + 0.5);
    }
    const double spread = std::sqrt(std::max(3 * (square - middle * middle), 0.0)), met = (middle - c0) / (c1 - c0);
    const double level = areas_.levels_below(high) - areas_.levels_below(low);
    double before = 0, edge_before = 0;
    for (std::size_t k = 0; k <= values.size(); ++k) {
      const double z = static_cast<double>(k) - 0.5;
      const auto a = see(x - dx, y - dy, z), b = see(x + dx, y + dy, z);
      const double near_a = (1 - met) * a.depth, near_b = met * b.depth;
      const double row = (near_a * a.row + near_b * b.row) / (near_a + near_b);
      const double edge = mean_between(row, std::abs(b.row - a.row) / (c1 - c0) * spread);
      const auto height = [&](double column) {
        if (!shared_across_) return edge;
        const double way = 2 * (column - c0) / (c1 - c0) - 1;
        return std::clamp(see(x + way * dx, y + way * dy, z).row, 0.0, double(rows_));
      };
      const double next = areas_.below(high, height(high)) - areas_.below(low, height(low)) + level * edge;
      if (k > 0) values[k - 1] = edge < edge_before ? before - next : next - before;
      before = next;
      edge_before = edge;
    }
    return values;
  }
  /// Mean of a row that is spread evenly over +-blur and clipped to the detector's rows.
  double mean_between(double row, double blur) const {
    const double below = std::clamp(blur - row, 0.0, 2 * blur), above = std::clamp(row + blur - rows_, 0.0, 2 * blur);
    const double moved = blur > 0 ? (below * below - above * above) / (4 * blur) : 0;
    return std::clamp(row + moved, 0.0, double(rows_));
  }

  const Scan& scan_;
  const VolumeGrid& grid_;
  DistanceDrivenView view_;
  ViewMap<double> map_;
  int columns_, rows_;
  bool shared_across_;
  AreasInDouble areas_;
};

}  // namespace backlit::test
