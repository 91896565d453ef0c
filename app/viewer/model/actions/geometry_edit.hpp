// Applies the state's geometry corrections to the geometry of a file.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/recon/session.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// The scan with all corrections, as in GeometryCorrection.
Scan adjusted(const Scan&, const GeometryState&);
/// All corrections except that of the axis. Throws InputError for a curved detector that would be tilted or moved.
Scan placed(const Scan&, const GeometryState&);

/// Session options from the state. `center_px`: column of the axis in the scan file. The place of the region is left
/// out: it is relative to the centre that the session finds.
SessionOptions session_options(const ReconState&, const GeometryState&, const GridState&, double center_px);

}  // namespace backlit::viewer
