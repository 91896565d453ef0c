// Closed pores of a segment: what it encloses on all sides.
#pragma once

#include <cstdint>

#include <backlit/data/volume.hpp>

namespace backlit::viewer {

/// Number of voxels with values <= 0 that are not connected, through faces, with the border of the grid.
std::int64_t enclosed_voxels(const Volume& field);

}  // namespace backlit::viewer
