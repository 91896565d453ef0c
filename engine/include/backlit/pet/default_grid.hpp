// The volume a scanner sees.
#pragma once

#include <backlit/data/scanner.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Cubic voxels as wide as a ring of crystals, over the scanner's transaxial field of view (where its rule of
/// coincidence leaves it open: a circle of 0.7 of its radius) and its length.
VolumeGrid default_pet_grid(const Scanner&);

}  // namespace backlit
