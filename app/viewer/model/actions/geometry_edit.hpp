// Applies the state's geometry corrections to the geometry of a file.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/recon/session.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// Moves and turns the detector of every view: first shifts the axis, then applies placed().
Scan adjusted(const Scan&, const GeometryState&);
/// Applies the corrections except the axis: a shift along v, then tilts as in DetectorPlacement. Throws InputError for
/// a tilt of a curved detector.
Scan placed(Scan, const GeometryState&);

/// Session options from the state. `center_px`: column of the axis in the scan file. The place of the region is left
/// out: it is relative to the centre that the session finds.
SessionOptions session_options(const ReconState&, const GeometryState&, const GridState&, double center_px);

}  // namespace backlit::viewer
