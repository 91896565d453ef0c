// The volume to reconstruct by default.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// The box around the region that every view sees. A voxel is as large as a pixel scaled to the rotation axis.
///   voxels  cubic: the smaller side of a pixel divided by the magnification at the axis. With one row: one slice as
///           thick as that row
///   x, y    the circle about the axis that the columns cover in every view; when the source goes full circle,
///           the circle of the wider side is enough (offset detectors)
///   z       the part of the axis that all rows cover; helical: from the scan's first to its last position on the
///           axis; rays raised by more than about 6 degrees (laminography): a plate that no view's rows cut off
/// Throws InputError naming the view when a view does not see the axis, or when the rays run along it.
VolumeGrid default_grid(const Scan&);

/// mm, the radius of the circle about the axis that the columns of every view cover. When the source goes full circle,
/// the wider side of the columns counts. Throws as default_grid() does.
double field_of_view_radius(const Scan&);

}  // namespace backlit
