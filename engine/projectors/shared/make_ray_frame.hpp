// Prepares views for the arithmetic of ray.hpp.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "projectors/shared/ray.hpp"

namespace backlit {

/// Any beam, any detector.
RayFrame<double> make_ray_frame(const Detector&, const View&, const VolumeGrid&);
RayFrame<float> to_float(const RayFrame<double>&);

}  // namespace backlit
