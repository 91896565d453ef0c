// All rays of a column along z meet a slice at the same place along x or y, and at evenly spaced places along z. So the
// line of voxels there is interpolated once a column and slice, and each row reads two neighbours of it. Transposed,
// rows add to such a line, and the line to the voxels.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <backlit/core/parallel.hpp>
#include "projectors/joseph/cpu.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/cpu/cpu_operator.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace {

/// Where the rays of a column meet the slices perpendicular to an axis: at slice s along the other horizontal axis at
/// u + s du, and along z at (z + s dz) + row (z_a_row + s dz_a_row).
struct RayColumn {
  SliceSteps<double> steps;  ///< as if the rays were level: u and du, and which slices the rays can meet
  double z, dz, z_a_row, dz_a_row;

  bool meets_grid() const { return steps.first <= steps.last; }
};

class JosephColumns final : public CpuCtOperator {
 public:
  JosephColumns(const VolumeGrid& grid, const Scan& scan, std::vector<int> axes)
      : CpuCtOperator(grid, scan), axes_(std::move(axes)), nx_(grid.size[0]), ny_(grid.size[1]), nz_(grid.size[2]) {
    for (const View& view : scan.views) frames_.push_back(make_ray_frame(scan.detector, view, grid));
  }
  std::string variant() const override { return axes_.empty() ? "joseph double" : "joseph double, stack=view"; }
  bool prefers_whole() const override { return true; }

 private:
  Ray<double> ray(std::int64_t view, std::int64_t column, std::int64_t row) const {
    return make_ray(frames_[static_cast<std::size_t>(view)], static_cast<double>(column), static_cast<double>(row));
  }

  RayColumn column(std::int64_t view, std::int64_t number) const {
    const Ray<double> first = ray(view, number, 0), last = ray(view, number, detector_.rows - 1);
    Ray<double> level = first;
    level.origin[2] = level.direction[2] = 0;
    const int m = axes_.empty() ? main_axis(first.direction) : axes_[static_cast<std::size_t>(view)];
    RayColumn c{};
    c.steps.last = -1;
    if (too_steep(level.direction, m)) return c;
    c.steps = slice_steps(level, {{0, 0, 0}, {nx_, ny_, nz_}, {nx_, ny_, nz_}}, m);
    const auto slope = [&](const Ray<double>& r) { return r.direction[2] / r.direction[m]; };
    const auto begin = [&](const Ray<double>& r) { return r.origin[2] - r.origin[m] * slope(r); };
    const double per_row = 1 / static_cast<double>(std::max<std::int64_t>(1, detector_.rows - 1));
    c.z = begin(first), c.z_a_row = (begin(last) - c.z) * per_row;
    c.dz = slope(first), c.dz_a_row = (slope(last) - c.dz) * per_row;
    return c;
  }

  /// mm of the ray in a whole slab; 0 for rays too steep for the stack.
  double length(const RayColumn& c, std::int64_t view, std::int64_t number, std::int64_t row) const {
    const Ray<double> r = ray(view, number, row);
    return !axes_.empty() && too_steep(r.direction, c.steps.axis) ? 0 : 1 / std::abs(r.direction[c.steps.axis]);
  }

  /// Calls take(row, voxel, share): the ray of `row` meets the slice between that voxel and the next, or beside the
  /// grid between zeros around it. Voxels begin at 1.
  template <class Take>
  void for_rows(const RayColumn& c, std::int64_t slice, Take&& take) const {
    const auto s = static_cast<double>(slice);
    const double z = c.z + s * c.dz + 1, a_row = c.z_a_row + s * c.dz_a_row;
    double from = 0, to = static_cast<double>(detector_.rows - 1);
    narrow(z, a_row, 0.0, static_cast<double>(nz_ + 1), from, to);
    if (!(from <= to)) return;
    const auto last = static_cast<std::int64_t>(std::floor(to));
    for (auto row = static_cast<std::int64_t>(std::ceil(from)); row <= last; ++row) {
      const double at = z + static_cast<double>(row) * a_row;
      const auto voxel = static_cast<int>(at);
      take(row, voxel, at - voxel);
    }
  }

  /// Calls take(line, share) for the two lines of voxels, of those that lie in the grid.
  template <class Take>
  void for_lines(const RayColumn& c, std::int64_t slice, double* volume, Take&& take) const {
    const double at = c.steps.u + static_cast<double>(slice) * c.steps.du, whole = std::floor(at), share = at - whole;
    const auto lower = static_cast<std::int64_t>(whole);
    const bool along_x = c.steps.axis == 0;
    const std::int64_t lines = along_x ? ny_ : nx_;
    const double part = slab_length(c.steps, slice) / c.steps.length;
    for (const std::int64_t k : {lower, lower + 1})
      if (k >= 0 && k < lines)
        take(volume + (along_x ? k * nx_ + slice : slice * nx_ + k) * nz_, part * (k == lower ? 1 - share : share));
  }

  /// z is fastest in `lines_`.
  template <class Each>
  void for_voxels(Each&& each) {
    constexpr std::int64_t block = 8;  // of both: their cache lines are used whole
    parallel_for(ny_, [&](std::int64_t y) {
      for (std::int64_t first_z = 0; first_z < nz_; first_z += block)
        for (std::int64_t first_x = 0; first_x < nx_; first_x += block)
          for (std::int64_t z = first_z; z < std::min(nz_, first_z + block); ++z)
            for (std::int64_t x = first_x; x < std::min(nx_, first_x + block); ++x)
              each((z * ny_ + y) * nx_ + x, (y * nx_ + x) * nz_ + z);
    });
  }

  void add_forward(const double* volume, double* projections, const SubsetRows& rows) override {
    lines_.resize(static_cast<std::size_t>(grid_.voxels()));
    for_voxels([&](std::int64_t from, std::int64_t to) { lines_[static_cast<std::size_t>(to)] = volume[from]; });
    constexpr std::int64_t together = 8;  // columns whose pixels share a cache line
    const std::int64_t blocks = (detector_.columns + together - 1) / together;
    parallel_for(rows.count() * blocks, [&](std::int64_t item) {
      const std::int64_t view = rows.row(item / blocks), first = item % blocks * together;
      double* const values = projections + rows.slot(item / blocks) * detector_.pixels();
      std::vector<double> line(static_cast<std::size_t>(nz_ + 3)), sums(static_cast<std::size_t>(detector_.rows));
      for (std::int64_t n = first; n < std::min(detector_.columns, first + together); ++n) {
        const RayColumn c = column(view, n);
        std::ranges::fill(sums, 0.0);
        for (std::int64_t s = c.steps.first; s <= c.steps.last; ++s) add_slice(c, s, line.data(), sums.data());
        for (std::int64_t row = 0; row < detector_.rows && c.meets_grid(); ++row)
          values[row * detector_.columns + n] += length(c, view, n, row) * sums[static_cast<std::size_t>(row)];
      }
    });
  }

  void add_slice(const RayColumn& c, std::int64_t slice, double* line, double* sums) {
    std::fill_n(line, nz_ + 3, 0.0);
    for_lines(c, slice, lines_.data(), [&](const double* voxels, double share) {
      for (std::int64_t z = 0; z < nz_; ++z) line[z + 1] += share * voxels[z];
    });
    for_rows(c, slice, [&](std::int64_t row, int voxel, double share) {
      sums[row] += line[voxel] + share * (line[voxel + 1] - line[voxel]);
    });
  }

  // A slice adds the views in their order, so that a voxel's sum does not depend on the number of threads.
  void add_back(const double* projections, double* volume, const SubsetRows& rows) override {
    lines_.assign(static_cast<std::size_t>(grid_.voxels()), 0.0);
    for (std::int64_t first = 0; first < rows.count(); first += views_at_once())
      spread(projections, rows, first, std::min(rows.count(), first + views_at_once()));
    for_voxels([&](std::int64_t to, std::int64_t from) { volume[to] += lines_[static_cast<std::size_t>(from)]; });
  }

  void spread(const double* projections, const SubsetRows& rows, std::int64_t first, std::int64_t end) {
    columns_.resize(static_cast<std::size_t>((end - first) * detector_.columns));
    amounts_.resize(columns_.size() * static_cast<std::size_t>(detector_.rows));
    parallel_for(static_cast<std::int64_t>(columns_.size()), [&](std::int64_t item) {
      const std::int64_t r = first + item / detector_.columns, n = item % detector_.columns;
      const RayColumn c = columns_[static_cast<std::size_t>(item)] = column(rows.row(r), n);
      const double* const values = projections + rows.slot(r) * detector_.pixels() + n;
      for (std::int64_t row = 0; row < detector_.rows && c.meets_grid(); ++row)
        amounts_[static_cast<std::size_t>(item * detector_.rows + row)] =
            length(c, rows.row(r), n, row) * values[row * detector_.columns];
    });
    for (const int axis : {0, 1})
      parallel_for(axis == 0 ? nx_ : ny_, [&](std::int64_t slice) {
        std::vector<double> line(static_cast<std::size_t>(nz_ + 3));
        for (std::size_t n = 0; n < columns_.size(); ++n) {
          const RayColumn& c = columns_[n];
          if (c.steps.axis == axis && c.steps.first <= slice && slice <= c.steps.last)
            spread_slice(c, slice, amounts_.data() + static_cast<std::int64_t>(n) * detector_.rows, line.data());
        }
      });
  }

  void spread_slice(const RayColumn& c, std::int64_t slice, const double* amounts, double* line) {
    std::fill_n(line, nz_ + 3, 0.0);
    for_rows(c, slice, [&](std::int64_t row, int voxel, double share) {
      line[voxel] += (1 - share) * amounts[row];
      line[voxel + 1] += share * amounts[row];
    });
    for_lines(c, slice, lines_.data(), [&](double* voxels, double share) {
      for (std::int64_t z = 0; z < nz_; ++z) voxels[z] += share * line[z + 1];
    });
  }

  const std::vector<int> axes_;  ///< [view] of its stack; empty: each ray's main axis
  const std::int64_t nx_, ny_, nz_;
  std::vector<RayFrame<double>> frames_;
  std::vector<double> lines_;  ///< the volume, z fastest
  std::vector<RayColumn> columns_;
  std::vector<double> amounts_;  ///< [column][row]
};

}  // namespace

std::unique_ptr<LinearOperator> joseph_by_columns(const VolumeGrid& grid, const Scan& scan, std::vector<int> axes) {
  return std::make_unique<JosephColumns>(grid, scan, std::move(axes));
}

}  // namespace backlit
