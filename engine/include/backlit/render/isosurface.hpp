// The surface at which a volume crosses a value.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/mesh.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// Marching cubes (Lorensen and Cline, Computer Graphics 21(4), 1987) between voxel centres, on the CPU: vertices where
/// linear interpolation along the grid's edges gives `value`, inside what is larger. On a face whose inside corners are
/// diagonal these are kept apart, in both cells that share it, so that the surface is closed. Where the inside reaches
/// the end of the grid, it is closed at the outer faces of the voxels. Stage "surface". Throws InputError when nothing
/// is larger than `value`, or there are more than 4 thousand million vertices; Cancelled between two slices.
Mesh isosurface(const Volume&, double value, const Watch& = {});

}  // namespace backlit
