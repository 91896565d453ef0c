// Handles of the crop box in the 3-D view: 2 a and 2 a + 1 lie on the lower and the upper face across axis a, the last
// one in the middle of the box.
#pragma once

#include "model/state.hpp"

namespace backlit::viewer {

inline constexpr int clip_handles = 7, clip_middle = 6;

/// mm, where a handle of the box lies.
Vec3 clip_handle(const DisplayState&, int handle);
/// The box after its handle was dragged to pixel (x, y): it stays within the volume, at least a voxel thick.
void drag_clip_handle(DisplayState&, int handle, const CameraRays&, const VolumeGrid&, double x, double y);

}  // namespace backlit::viewer
