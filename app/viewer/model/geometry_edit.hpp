// The state's corrections applied to what a file says.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// Every view's detector moved and turned as GeometryState says: shifts along u and v, then tilts as in
/// DetectorPlacement. Throws InputError where a curved detector would be tilted.
Scan adjusted(const Scan&, const GeometryState&);

/// `base` with what the state asks for: a size alone divides the same box into cubes that cover it, a voxel size alone
/// fills the same box. Throws InputError.
VolumeGrid chosen_grid(const VolumeGrid& base, const GridState&);

}  // namespace backlit::viewer
