// Where benchmarks of pictures look from.
#pragma once

#include <backlit/render/camera.hpp>

namespace backlit {

/// From the right and above; the zoom at which the grid's box fills `share` of a square picture.
Turntable camera_filling(const VolumeGrid& grid, double share);

}  // namespace backlit
