// Converts the viewer's state to options of the renderers.
#pragma once

#include <backlit/render/cut_plane.hpp>
#include <backlit/render/picture.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

/// All inputs of a 3-D picture except the volume.
struct Look {
  CameraRays rays;
  VolumeRenderOptions options;
  Classifier classifier;
  Finish finish;
};
/// same_rays(): whether the cameras are equal. same_found(): whether the results of the rays are equal.
bool same_rays(const CameraRays&, const CameraRays&);
bool same_found(const Look&, const Look&);

/// The transfer function that the state names, in its own units. "auto" follows from the values of the volume shown;
/// for PET it is scaled to them.
TransferFunction transfer_function(const DisplayState&, const Status&);
/// The value of the surface in mode iso; 0 in the state means automatic.
double iso_value(const DisplayState&, const Status&);

/// A surface with its opacity. Those of larger values lie within those of smaller ones, so that drawing them in this
/// order, the innermost first, is right from everywhere.
struct SurfaceLook {
  Look look;
  double opacity = 1;
};
/// All surfaces of mode iso, if they are more than one opaque one; else nothing. `base`: what shows the first one.
std::vector<SurfaceLook> surface_looks(const ViewState&, const Look& base);

/// The window of A: its own where one is set; B's where both have values of the same kind, else from A's.
Window pinned_window(const ViewState&, const Status&);
std::string pinned_map(const ViewState&);
/// What the 3-D view shows of A, which is turned and moved, where B is shown by `look`.
Look pinned_look(const ViewState&, const Status&, Look look);

/// What the 3-D view shows of the state: look_of() on the views' ground, and where the oblique slice is shown without
/// the half of the volume that would hide it.
Look volume_look(const ViewState&, const Status&, const VolumeGrid&, const CameraRays&);
/// `background`: 0 to 255 for each colour.
Look look_of(const ViewState&, const Status&, const VolumeGrid&, const CameraRays&, Rgb background);

/// The oblique slice as a plane with pixels of `pixel` mm, around its centre.
CutPlane oblique_plane(const ObliqueState&, double pixel, std::int64_t width, std::int64_t height);

}  // namespace backlit::viewer
