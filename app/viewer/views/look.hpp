// From the state to what renderers are asked for.
#pragma once

#include <backlit/render/cut_plane.hpp>
#include <backlit/render/picture.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// Everything a 3-D picture depends on besides the volume.
struct Look {
  CameraRays rays;
  VolumeRenderOptions options;
  Classifier classifier;
  Finish finish;
};
/// Whether rays find the same; and whether it is shown the same.
bool same_rays(const CameraRays&, const CameraRays&);
bool same_found(const Look&, const Look&);

/// The transfer function that the state names, in its own units.
TransferFunction transfer_function(const DisplayState&, const VolumeGrid&);
ValueScale value_scale(const DisplayState&, const VolumeGrid&);
/// The value of the surface in mode iso.
double iso_value(const DisplayState&);

/// `background`: 0..255 each.
Look look_of(const ViewState&, const VolumeGrid&, const CameraRays&, Rgb background);

/// The oblique slice of the state as a plane of `pixel` mm whose middle is its centre.
CutPlane oblique_plane(const ObliqueState&, double pixel, std::int64_t width, std::int64_t height);

}  // namespace backlit::viewer
