// The stacks of slices that the rays of a view go through.
#pragma once

#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Bit m: some ray of the view has main axis m, or is so near a tie that it has in single precision.
unsigned main_axes(const Detector&, const View&, const VolumeGrid&);

/// Whether the source of some view lies in the grid or within a voxel of it.
bool source_inside(const Scan&, const VolumeGrid&);

/// [view] The axis along which the detector's normal crosses most slices. Throws Unsupported where steep_view() finds a
/// view.
std::vector<int> view_axes(const Scan&, const VolumeGrid&);

/// The first view with a ray that meets the grid and is too_steep() for that axis, as "no stack for view 3: it meets
/// ..."; empty where there is none.
std::string steep_view(const Scan&, const VolumeGrid&);

}  // namespace backlit
