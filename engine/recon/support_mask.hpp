// Which voxels a reconstruction may fill.
#pragma once

#include <string>

#include <backlit/data/volume.hpp>

namespace backlit {

/// 1 where a voxel's centre lies in the largest upright cylinder in the grid (about its middle, touching its nearer
/// sides), 0 elsewhere.
Volume cylinder_mask(const VolumeGrid&);

/// 1 where `volume` is not 0, 0 elsewhere. Throws InputError(where) unless it has `grid`'s size and voxels within
/// 1e-3 of a voxel of grid's, or when nothing is left.
Volume mask_of(const Volume& volume, const VolumeGrid& grid, const std::string& where);

/// Throws InputError(where) unless `volume` lies on `grid`.
void require_on_grid(const Volume& volume, const VolumeGrid& grid, const std::string& where);

}  // namespace backlit
