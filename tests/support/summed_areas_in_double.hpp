// Backprojection by summed areas in double precision, by code of its own: what of an error is the method's.
#pragma once

#include "projector/make_distance_driven.hpp"
#include "projector/make_view_map.hpp"
#include "support/one_view_back.hpp"
#include "support/summed_area_tables.hpp"

namespace backlit::test {

/// The method itself: the rectangle of a voxel's edges across the view, as high as in the middles of the columns that
/// it meets; where these ends leave the detector, what of them lies within. `shared_across`: what it might be instead,
/// corners as high as at the edge between two voxels beside each other, so that both can use them. `less_means`: the
/// means of columns (along) are taken away before summing; rectangles are the same without.
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
        sums_(static_cast<std::size_t>((columns_ + 1) * (rows_ + 1)), 0.0),
        levels_(static_cast<std::size_t>(columns_ + 1), 0.0) {
    const Entries entries = entries_of_view(view_, scan_.detector, v.image, false);
    for (int c = 0; c < columns_; ++c) {
      const double level = less_means ? entries.level(c) : 0;
      levels_[static_cast<std::size_t>(c + 1)] = levels_[static_cast<std::size_t>(c)] + level;
      double line = 0;
      for (int r = 0; r < rows_; ++r) {
        line += entries.at(r, c) - level;
        sum(r + 1, c + 1) = sum(r + 1, c) + line;
      }
    }
  }

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
  double& sum(int r, int c) { return sums_[static_cast<std::size_t>(r * (columns_ + 1) + c)]; }
  double below(double c, double r) {
    const int c0 = std::min(static_cast<int>(c), columns_ - 1), r0 = std::min(static_cast<int>(r), rows_ - 1);
    const double x = c - c0, y = r - r0;
    return (1 - y) * ((1 - x) * sum(r0, c0) + x * sum(r0, c0 + 1)) +
           y * ((1 - x) * sum(r0 + 1, c0) + x * sum(r0 + 1, c0 + 1));
  }
  double levels_below(double c) const {
    const auto c0 = static_cast<std::size_t>(std::min(static_cast<int>(c), columns_ - 1));
    return levels_[c0] + (c - static_cast<double>(c0)) * (levels_[c0 + 1] - levels_[c0]);
  }
  DetectorPosition<double> see(double x, double y, double z) const {
    auto at = project_point(map_, x, y, z);
    at.column = view_.reversed ? columns_ - (at.column + 0.5) : at.column + 0.5;
    at.row += 0.5;
    return at;
  }

  /// All slices of the voxel column at x, y.
  std::vector<double> column(double x, double y) {
    std::vector<double> values(static_cast<std::size_t>(grid_.size[2]), 0.0);
    const double dx = view_.axis == 0 ? 0 : 0.5, dy = 0.5 - dx;
    const double c0 = see(x - dx, y - dy, 0).column, c1 = see(x + dx, y + dy, 0).column;
    const double low = std::clamp(c0, 0.0, double(columns_)), high = std::clamp(c1, 0.0, double(columns_));
    if (!(low < high)) return values;
    double middle = 0, square = 0;  // of columns' middles, each as often as it is met
    for (int c = static_cast<int>(low); c < high; ++c) {
      const double share = overlap<double>(low, high, c, c + 1) / (high - low);
      middle += share * (c + 0.5);
      square += share * (c + 0.5) * (c + 0.5);
    }
    const double spread = std::sqrt(std::max(3 * (square - middle * middle), 0.0)), met = (middle - c0) / (c1 - c0);
    const double level = levels_below(high) - levels_below(low);
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
      const double next = below(high, height(high)) - below(low, height(low)) + level * edge;
      if (k > 0) values[k - 1] = edge < edge_before ? before - next : next - before;
      before = next;
      edge_before = edge;
    }
    return values;
  }
  /// Of what is spread evenly, that much to both sides, and ends with the rows.
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
  std::vector<double> sums_, levels_;
};

}  // namespace backlit::test
