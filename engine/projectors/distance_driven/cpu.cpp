#include "projectors/distance_driven/cpu.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "projectors/distance_driven/make_distance_driven.hpp"
#include "projectors/list.hpp"

namespace backlit {
namespace {

/// The volume with z fastest, then x: a voxel column is one run of memory.
struct Columns {
  std::int64_t nx, ny, nz;
  std::vector<double> values;

  explicit Columns(const VolumeGrid& g)
      : nx(g.size[0]), ny(g.size[1]), nz(g.size[2]), values(static_cast<std::size_t>(nx * ny * nz)) {}

  /// Calls move(value here, value in `volume`) for every voxel.
  template <class Volume, class Move>
  void exchange(Volume* volume, Move move) {
    parallel_for(ny, [&](std::int64_t j) {
      for (std::int64_t k = 0; k < nz; ++k)
        for (std::int64_t i = 0; i < nx; ++i)
          move(values[static_cast<std::size_t>((j * nx + i) * nz + k)], volume[(k * ny + j) * nx + i]);
    });
  }

  int slabs(int axis) const { return static_cast<int>(axis == 0 ? nx : ny); }
  int across(int axis) const { return static_cast<int>(axis == 0 ? ny : nx); }
  double* column(int axis, std::int64_t slab, std::int64_t i) {
    return values.data() + (axis == 0 ? i * nx + slab : slab * nx + i) * nz;
  }
};

/// Calls visit(i, share) for the voxels across the view between two edges. `share` is a fraction of the footprint's
/// width.
template <class Visit>
void visit_voxels(double low, double high, int voxels, Visit visit) {
  const int first = static_cast<int>(std::floor(std::clamp(low, 0.0, static_cast<double>(voxels))));
  for (int i = first; i < voxels && i < high; ++i) {
    const double length = overlap<double>(low, high, i, i + 1);
    if (length > 0) visit(i, length / (high - low));
  }
}

}  // namespace

CpuDistanceDriven::CpuDistanceDriven(const VolumeGrid& grid, const Scan& scan)
    : CpuCtOperator(grid, scan), geometry_(scan.views) {
  require_distance_driven(grid, scan);
}

void CpuDistanceDriven::add_forward(const double* volume, double* projections, const SubsetRows& rows) {
  Columns voxels(grid_);
  voxels.exchange(volume, [](double& own, const double& theirs) { own = theirs; });
  const auto high = static_cast<int>(detector_.rows), slices = static_cast<int>(voxels.nz);
  for (std::int64_t n = 0; n < rows.count(); ++n) {
    const DistanceDrivenView view =
        make_distance_driven(detector_, geometry_[static_cast<std::size_t>(rows.row(n))], grid_, "view");
    const int slabs = voxels.slabs(view.axis), across = voxels.across(view.axis);
    parallel_for(detector_.columns, [&](std::int64_t c) {
      const RowEdges<double>& column = view.columns[static_cast<std::size_t>(c)];
      const auto* edge = view.edges.data() + c;
      std::vector<double> sums(static_cast<std::size_t>(high), 0.0);
      for (int slab = 0; slab < slabs; ++slab) {
        const double base = column.base_at(slab), step = column.step_at(slab);
        visit_voxels(edge[0].at(slab), edge[1].at(slab), across, [&](int i, double share) {
          const double* f = voxels.column(view.axis, slab, i);
          const double weight = share / std::abs(step);
          walk_overlaps(base, step, high, slices, [&](int r, int k, double length) {
            sums[static_cast<std::size_t>(r)] += weight * length * f[k];
          });
        });
      }
      double* values =
          projections + rows.slot(n) * detector_.pixels() + (view.reversed ? detector_.columns - 1 - c : c);
      for (int r = 0; r < high; ++r)
        values[r * detector_.columns] += column.length(r) * sums[static_cast<std::size_t>(r)];
    });
  }
}

// Each slab adds its columns in order, and views follow one another: sums do not depend on the number of threads.
void CpuDistanceDriven::add_back(const double* projections, double* volume, const SubsetRows& rows) {
  Columns voxels(grid_);
  const auto high = static_cast<int>(detector_.rows), slices = static_cast<int>(voxels.nz);
  std::vector<double> scaled(static_cast<std::size_t>(detector_.pixels()));  // rows fastest, times the ray's length
  for (std::int64_t n = 0; n < rows.count(); ++n) {
    const DistanceDrivenView view =
        make_distance_driven(detector_, geometry_[static_cast<std::size_t>(rows.row(n))], grid_, "view");
    const double* values = projections + rows.slot(n) * detector_.pixels();
    for (std::int64_t c = 0; c < detector_.columns; ++c) {
      const std::int64_t at = view.reversed ? detector_.columns - 1 - c : c;
      for (int r = 0; r < high; ++r)
        scaled[static_cast<std::size_t>(c * high + r)] =
            values[r * detector_.columns + at] * view.columns[static_cast<std::size_t>(c)].length(r);
    }
    const int across = voxels.across(view.axis);
    parallel_for(voxels.slabs(view.axis), [&](std::int64_t slab) {
      const auto s = static_cast<double>(slab);
      for (std::int64_t c = 0; c < detector_.columns; ++c) {
        const RowEdges<double>& column = view.columns[static_cast<std::size_t>(c)];
        const auto* edge = view.edges.data() + c;
        const double base = column.base_at(s), step = column.step_at(s);
        const double* p = scaled.data() + c * high;
        visit_voxels(edge[0].at(s), edge[1].at(s), across, [&](int i, double share) {
          double* f = voxels.column(view.axis, slab, i);
          const double weight = share / std::abs(step);
          walk_overlaps(base, step, high, slices, [&](int r, int k, double length) { f[k] += weight * length * p[r]; });
        });
      }
    });
  }
  voxels.exchange(volume, [](double& own, double& theirs) { theirs += own; });
}

ProjectorInfo distance_driven_cpu() {
  ProjectorInfo info;
  info.model = Model::distance_driven;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.require = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    require_distance_driven(grid, scan);
  };
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    return std::make_unique<CpuDistanceDriven>(grid, scan);
  };
  return info;
}

}  // namespace backlit
