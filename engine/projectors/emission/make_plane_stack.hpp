// Prepares views for the arithmetic of emission.hpp.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "projectors/emission/emission.hpp"

namespace backlit {

/// Most views that a device passes through the planes together, and most values in the planes' shares.
inline constexpr std::int64_t most_emission_views = 64, most_emission_values = std::int64_t{1} << 26;

/// The path that attenuation is normalised to, in mm.
double unit_length(const VolumeGrid&);

/// The axis of the grid along which the ray through the detector's middle crosses most slices.
int main_axis(const Detector&, const View&, const VolumeGrid&);

/// Slices perpendicular to main_axis(). `face_mm` is the distance from the grid's middle to the detector's face, along
/// the detector's normal; 0: the face is at the detector. A face within the grid is moved to the grid's end.
PlaneStack axis_planes(const Detector&, const View&, const VolumeGrid&, double face_mm);
/// Planes parallel to the detector, through the whole grid.
PlaneStack facing_planes(const Detector&, const View&, const VolumeGrid&, double face_mm);

}  // namespace backlit
