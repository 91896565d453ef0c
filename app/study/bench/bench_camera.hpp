// Cameras for benchmarks of pictures.
#pragma once

#include <backlit/render/camera.hpp>

namespace backlit {

/// A camera at the right and above. Its zoom makes the grid's box fill `share` of a square picture.
Turntable camera_filling(const VolumeGrid& grid, double share);

}  // namespace backlit
