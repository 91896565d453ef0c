// Prepares views for the arithmetic of ray.hpp.
#pragma once

#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"
#include "projector/ray.hpp"

namespace backlit {

/// Any beam, any detector.
RayFrame<double> make_ray_frame(const Detector&, const View&, const VolumeGrid&);
RayFrame<float> to_float(const RayFrame<double>&);

}  // namespace backlit
