// How thick an object is at each of its voxels.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// Replaces values above 0, which belong to the object, by its local thickness there in mm: the diameter of the largest
/// ball that lies in the object and holds the voxel (Hildebrand and Rüegsegger, J. Microsc. 185 (1997) 67). Others
/// become 0. The middles of balls are voxels: plates come out within half a voxel, balls up to 1.5 voxels too thin.
/// What lies beyond the grid counts as object, so that a wall that the grid cuts off is not taken for a thinner one.
/// Radii are tried in steps of half of the smallest spacing, at most 128 of them: steps of 1 % of the largest thickness
/// where that is more. An object that fills the grid has the grid's diagonal. Takes some 8 bytes a voxel more. Stage
/// "thickness"; throws Cancelled between two radii.
void local_thickness(Volume& object, const Watch& = {});

/// Squared distances in mm^2 from each voxel's centre to the nearest one where `values` are 0: exact, from values that
/// are 0 or infinite, replaced in place (Felzenszwalb and Huttenlocher, Theory Comput. 8 (2012) 415).
void squared_distances(const VolumeGrid&, std::span<float> values);

}  // namespace backlit
