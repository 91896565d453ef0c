#include "projectors/voxel_driven/cpu.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/projectors/require.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/bilinear.hpp"
#include "projectors/voxel_driven/cpu_columns.hpp"

namespace backlit {

namespace {

constexpr std::int64_t least_slices = 4;  ///< from which on whole columns are faster

VolumeGrid with_slices(VolumeGrid grid, std::int64_t count) {
  grid.size[2] = count;
  return grid;
}

Scan with_rows(Scan scan, std::int64_t count) {
  scan.detector.rows = count;
  return scan;
}

}  // namespace

CpuVoxelDriven::CpuVoxelDriven(const VolumeGrid& grid, const Scan& scan, Weighting weighting,
                               Interpolation interpolation)
    : CpuVoxelDriven(grid, scan, weighting, interpolation, {0, grid.size[2]}, {0, scan.detector.rows}) {}

CpuVoxelDriven::CpuVoxelDriven(const VolumeGrid& grid, const Scan& scan, Weighting weighting,
                               Interpolation interpolation, const IndexRange& slices, const IndexRange& rows)
    : CpuCtOperator(with_slices(grid, slices.count), with_rows(scan, rows.count)),
      weighting_(weighting),
      nearest_(interpolation == Interpolation::nearest),
      first_slice_(slices.first),
      first_row_(rows.first) {
  for (const View& view : scan.views) {
    maps_.push_back(in_voxels(make_view_map(scan.detector, view), grid.first_voxel(), grid.spacing));
    axis_distance_.push_back(axis_distance(view));
  }
  by_columns_ = slices.count >= least_slices &&
                std::ranges::all_of(maps_, [&](const auto& map) { return sees_columns(map, grid.size[2]); });
}

void CpuVoxelDriven::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  if (weighting_ == Weighting::fdk)
    throw Unsupported("forward projection", "an operator with FDK weighting only backprojects",
                      "make one with Weighting::none");
  CpuCtOperator::forward(x, y, subset, write);
}

/// The position where a view is sampled, moved to the pixel's middle for `nearest`, so that interpolation gives its
/// value.
bool CpuVoxelDriven::find(const ViewMap<double>& map, std::int64_t i, std::int64_t j, std::int64_t k,
                          DetectorPosition<double>& at) const {
  if (!project_voxel(map, i, j, first_slice_ + k, at)) return false;
  at.row -= static_cast<double>(first_row_);  // exact for rows that are there
  if (nearest_) {
    at.column = std::floor(at.column + 0.5);
    at.row = std::floor(at.row + 0.5);
  }
  return true;
}

void CpuVoxelDriven::add_columns(const double* projections, double* volume, const SubsetRows& rows) {
  const ColumnShape shape{
      grid_.size[0], grid_.size[1], {first_slice_, grid_.size[2]}, detector_.columns, {first_row_, detector_.rows},
      nearest_};
  std::vector<ColumnView> views;
  for (std::int64_t r = 0; r < rows.count(); ++r) {
    const auto view = static_cast<std::size_t>(rows.row(r));
    views.push_back({&maps_[view], projections + rows.slot(r) * detector_.pixels(),
                     weighting_ == Weighting::fdk ? axis_distance_[view] : 0});
    if (std::ssize(views) < views_at_once() && r + 1 < rows.count()) continue;
    backproject_columns(shape, views, volume);
    views.clear();
  }
}

// Voxels gather. A work item is a block of rows of one slice: small enough to stay in cache over all views.
void CpuVoxelDriven::add_back(const double* projections, double* volume, const SubsetRows& rows) {
  if (by_columns_) return add_columns(projections, volume, rows);
  constexpr std::int64_t block = 16;
  const auto [nx, ny, nz] = grid_.size;
  const std::int64_t blocks = (ny + block - 1) / block;
  const PlaneLayout image = image_plane(detector_.columns, detector_.rows);
  parallel_for(nz * blocks, [&, nx = nx, ny = ny](std::int64_t item) {
    const std::int64_t k = item / blocks, begin = item % blocks * block, end = std::min(ny, begin + block);
    for (std::int64_t r = 0; r < rows.count(); ++r) {
      const auto view = static_cast<std::size_t>(rows.row(r));
      const ViewMap<double>& map = maps_[view];
      const double axis = axis_distance_[view];
      const double* values = projections + rows.slot(r) * detector_.pixels();
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t i = 0; i < nx; ++i) {
          DetectorPosition<double> at;
          if (!find(map, i, j, k, at)) continue;
          double value = interpolate(values, image, at.column, at.row);
          if (weighting_ == Weighting::fdk) value *= (axis / at.depth) * (axis / at.depth);
          volume[(k * ny + j) * nx + i] += value;
        }
    }
  });
}

// The transpose scatters, so threads share out the views: they do not write to the same view.
void CpuVoxelDriven::add_forward(const double* volume, double* projections, const SubsetRows& rows) {
  const auto [nx, ny, nz] = grid_.size;
  const PlaneLayout image = image_plane(detector_.columns, detector_.rows);
  parallel_for(rows.count(), [&, nx = nx, ny = ny, nz = nz](std::int64_t r) {
    const ViewMap<double>& map = maps_[static_cast<std::size_t>(rows.row(r))];
    double* values = projections + rows.slot(r) * detector_.pixels();
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny; ++j)
        for (std::int64_t i = 0; i < nx; ++i) {
          DetectorPosition<double> at;
          if (find(map, i, j, k, at)) splat(values, image, at.column, at.row, volume[(k * ny + j) * nx + i]);
        }
  });
}

ProjectorInfo voxel_driven_cpu() {
  ProjectorInfo info;
  info.model = Model::voxel_driven;
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.fdk_weights = true;
  info.options = {"interpolation"};
  info.require = [](Backend&, const VolumeGrid&, const Scan& scan, const CtOptions&) {
    for (const View& view : scan.views) make_view_map(scan.detector, view);
  };
  info.make = [](Backend&, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return std::make_unique<CpuVoxelDriven>(grid, scan, options.weighting, options.interpolation);
  };
  return info;
}

}  // namespace backlit
