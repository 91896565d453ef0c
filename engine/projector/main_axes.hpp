// Which stacks of slices the rays of a view need.
#pragma once

#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"

namespace backlit {

/// Bit m: some ray of the view has main axis m (slice_steps.hpp), or comes so near a tie that single precision may
/// decide it that way.
unsigned main_axes(const Detector&, const View&, const VolumeGrid&);

}  // namespace backlit
