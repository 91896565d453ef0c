// The voxels that a reconstruction may fill.
#pragma once

#include <string>

#include <backlit/data/volume.hpp>

namespace backlit {

/// 1 where a voxel's centre lies in the largest cylinder along z in the grid, 0 elsewhere. The cylinder is about the
/// grid's middle and touches its nearer sides.
Volume cylinder_mask(const VolumeGrid&);

/// 1 where `volume` is not 0, 0 elsewhere. Throws InputError(where) when the mask is empty, or unless `volume` has the
/// size of `grid` and voxels within 1e-3 of a voxel of the grid's.
Volume mask_of(const Volume& volume, const VolumeGrid& grid, const std::string& where);

/// Throws InputError(where) unless `volume` lies on `grid`.
void require_on_grid(const Volume& volume, const VolumeGrid& grid, const std::string& where);

}  // namespace backlit
