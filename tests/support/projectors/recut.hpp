// The same scan with other detector cells, the same volume with other voxels.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit::test {

/// The same detector with another number of columns and rows.
inline Scan with_cells(Scan scan, std::int64_t columns, std::int64_t rows) {
  Detector& d = scan.detector;
  const double wider = static_cast<double>(d.columns) / static_cast<double>(columns),
               higher = static_cast<double>(d.rows) / static_cast<double>(rows);
  d.columns = columns;
  d.rows = rows;
  d.pixel_u *= wider;
  d.pixel_v *= higher;
  for (View& view : scan.views) {
    view.u *= wider;
    view.v *= higher;
  }
  return scan;
}

/// The same box with another number of voxels.
inline VolumeGrid with_voxels(const VolumeGrid& grid, const Size3& size) {
  const Vec3 box = grid.upper() - grid.lower();
  return {size, box / Vec3(size[0], size[1], size[2]), grid.center};
}

}  // namespace backlit::test
