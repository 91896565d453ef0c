// Prepares views for the arithmetic of emission.hpp.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "projectors/emission/emission.hpp"

namespace backlit {

/// The way that attenuation is normalised to, mm.
double attenuation_way(const VolumeGrid&);

/// The axis of the grid along which the ray through the detector's middle crosses most slices.
int main_axis(const Detector&, const View&, const VolumeGrid&);

/// Slices perpendicular to main_axis(). `face_mm`: from the grid's middle to the detector's face, along the detector's
/// normal; 0: where the detector is. A face within the grid is moved to the grid's end.
PlaneStack axis_planes(const Detector&, const View&, const VolumeGrid&, double face_mm);
/// Planes parallel to the detector through the whole grid.
PlaneStack facing_planes(const Detector&, const View&, const VolumeGrid&, double face_mm);

/// Whether any of planes first .. first + count - 1 has a sample in which a voxel of the box counts.
bool reaches(const PlaneStack&, std::int64_t first, std::int64_t count, const Size3& box_first, const Size3& box_size);

}  // namespace backlit
