// Volume rendering straight from views in double precision: the reference of D2VR on the device.
#pragma once

#include <vector>

#include <backlit/render/volume_rendering.hpp>
#include "render/point_reconstruction.hpp"

namespace backlit {

/// As render_reference() of a volume, its values replaced by those of points within `region`, whose spacing is what
/// steps are counted in. Mode iso has no normals: (0, 0, 1, distance in mm from the eye), zeros where nothing is hit.
std::vector<double> render_reference(const PointReconstruction&, const VolumeGrid& region, const CameraRays&,
                                     const VolumeRenderOptions&, const Classifier&);

}  // namespace backlit
