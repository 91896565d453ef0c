// The rows of a detector that see a part of a volume.
#pragma once

#include <array>

#include <backlit/core/index_range.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Corners of the box that is `reach` voxels larger than the grid's voxel centres.
std::array<Vec3, 8> corners_of(const VolumeGrid&, double reach);

/// Rows of the detector onto which a box projects that is `reach` voxels larger than the grid's voxel centres, in any
/// view, and two more on either side; from an even row on. All rows where a view's source lies beside or in the box,
/// and of curved detectors.
IndexRange rows_seen(const VolumeGrid&, const Scan&, double reach);

/// Rows of a detector as a detector of its own.
Scan rows_of_scan(const Scan&, const IndexRange& rows);

}  // namespace backlit
