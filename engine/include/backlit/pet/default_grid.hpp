// The default image grid of a scanner.
#pragma once

#include <span>

#include <backlit/data/list_mode.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// Cubic voxels as large as a crystal along z, over the scanner's transaxial field of view and its length. Without a
/// smallest coincidence angle the field of view is a circle of 0.7 of the scanner's radius. `places`
/// (ListModeInfo::places): the box of what the scanner sees from all of them.
VolumeGrid default_pet_grid(const Scanner&, std::span<const ScannerPlace> places = {});

}  // namespace backlit
