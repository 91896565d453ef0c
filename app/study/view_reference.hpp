// Volume rendering directly from views in double precision: the reference of D2VR on the device.
#pragma once

#include <vector>

#include <backlit/render/volume_rendering.hpp>
#include "render/point_reconstruction.hpp"

namespace backlit {

/// Like render_reference() of a volume, with values of points within `region` instead; `region`'s spacing is the unit
/// of steps. Mode iso has no normals: (0, 0, 1, distance in mm from the eye), zeros without a hit.
std::vector<double> render_reference(const PointReconstruction&, const VolumeGrid& region, const CameraRays&,
                                     const VolumeRenderOptions&, const Classifier&);

}  // namespace backlit
