#include "projectors/shared/cpu/ray_driven.hpp"

#include <algorithm>

#include <backlit/core/parallel.hpp>
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace {

VoxelBox whole(const VolumeGrid& grid) {
  const auto [x, y, z] = grid.size;
  return {{0, 0, 0}, {x, y, z}, {x, y, z}};
}

/// Slabs along z (or along y where there are few slices), enough of them for many cores.
std::vector<VoxelBox> make_slabs(const VolumeGrid& grid) {
  constexpr std::int64_t most = 32, thinnest = 4;
  const int axis = grid.size[2] >= grid.size[1] / 2 ? 2 : 1;
  const std::int64_t size = grid.size[static_cast<std::size_t>(axis)];
  const std::int64_t thickness = std::max(thinnest, (size + most - 1) / most);
  std::vector<VoxelBox> slabs;
  for (std::int64_t begin = 0; begin < size; begin += thickness) {
    slabs.push_back(whole(grid));
    slabs.back().lower[axis] = begin;
    slabs.back().upper[axis] = std::min(size, begin + thickness);
  }
  return slabs;
}

}  // namespace

CpuRayDriven::CpuRayDriven(const VolumeGrid& grid, const Scan& scan)
    : CpuCtOperator(grid, scan),
      box_(whole(grid)),
      slabs_(make_slabs(grid)),
      rays_(static_cast<std::size_t>(scan.detector.pixels())) {
  for (const View& view : scan.views) frames_.push_back(make_ray_frame(scan.detector, view, grid));
}

void CpuRayDriven::add_forward(const double* volume, double* projections, const SubsetRows& rows) {
  parallel_for(rows.count() * detector_.rows, [&](std::int64_t item) {
    const std::int64_t r = item / detector_.rows, row = item % detector_.rows;
    const RayFrame<double>& frame = frames_[static_cast<std::size_t>(rows.row(r))];
    double* values = projections + (rows.slot(r) * detector_.rows + row) * detector_.columns;
    for (std::int64_t column = 0; column < detector_.columns; ++column) {
      const auto ray = make_ray(frame, static_cast<double>(column), static_cast<double>(row));
      values[column] += sum(ray, rows.row(r), volume);
    }
  });
}

void CpuRayDriven::fill_rays(std::int64_t view) {
  const RayFrame<double>& frame = frames_[static_cast<std::size_t>(view)];
  parallel_for(detector_.rows, [&](std::int64_t row) {
    for (std::int64_t column = 0; column < detector_.columns; ++column)
      rays_[static_cast<std::size_t>(row * detector_.columns + column)] =
          make_ray(frame, static_cast<double>(column), static_cast<double>(row));
  });
}

// A slab adds its part of every ray in the order of views and pixels, so that a voxel's sum does not depend on the
// number of threads.
void CpuRayDriven::add_back(const double* projections, double* volume, const SubsetRows& rows) {
  for (std::int64_t r = 0; r < rows.count(); ++r) {
    fill_rays(rows.row(r));
    const double* values = projections + rows.slot(r) * detector_.pixels();
    parallel_for(static_cast<std::int64_t>(slabs_.size()), [&](std::int64_t slab) {
      for (std::size_t pixel = 0; pixel < rays_.size(); ++pixel)
        if (values[pixel] != 0)
          spread(rays_[pixel], rows.row(r), slabs_[static_cast<std::size_t>(slab)], volume, values[pixel]);
    });
  }
}

}  // namespace backlit
