// The surface at which a volume crosses a value.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/mesh.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// Marching cubes (Lorensen and Cline, Computer Graphics 21(4), 1987) between voxel centres, on the CPU. Vertices lie
/// where linear interpolation along the grid's edges gives `value`; larger values are inside. When two diagonal corners
/// of a face are inside, both cells of that face keep them apart, so that the surface is closed. Where the inside
/// reaches the end of the grid, the surface is closed at the outer faces of the voxels. Stage "surface". Throws
/// InputError when nothing is larger than `value`, or there are more than 4 thousand million vertices. Throws Cancelled
/// between two slices.
Mesh isosurface(const Volume&, double value, const Watch& = {});

/// The same surface on a backend, gl or cpu. gl makes the same triangles in the same order; it numbers vertices
/// otherwise and rounds them to single precision. Throws Unsupported for other backends, and where three slices exceed
/// what a buffer of the device holds.
Mesh isosurface(Backend&, const Volume&, double value, const Watch& = {});

}  // namespace backlit
