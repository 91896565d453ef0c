// The default image grid of a scanner.
#pragma once

#include <backlit/data/scanner.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Cubic voxels as large as a crystal along z, over the scanner's transaxial field of view and its length. Without a
/// smallest coincidence angle the field of view is a circle of 0.7 of the scanner's radius.
VolumeGrid default_pet_grid(const Scanner&);

}  // namespace backlit
