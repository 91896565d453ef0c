// The volume to reconstruct by default.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// The box around the region that every view sees, in voxels as large as a pixel seen at the rotation axis.
///   voxels  cubic, the smaller side of a pixel divided by the magnification at the axis; with one row, one slice as
///           thick as that row
///   x, y    the circle about the axis that the columns cover from every side; when the source goes full circle,
///           the circle of the wider side is enough (offset detectors)
///   z       the part of the axis that all rows cover; helical: from the first to the last place of the scan on the
///   axis;
///           rays raised by more than about 6 degrees (laminography): a plate that stays inside the rows everywhere
/// Throws InputError naming the view when a view does not see the axis, or when the rays run along it.
VolumeGrid default_grid(const Scan&);

/// mm, the radius of the circle about the axis that the columns of every view cover; of their wider side when the
/// source goes full circle. Throws as default_grid() does.
double field_of_view_radius(const Scan&);

}  // namespace backlit
