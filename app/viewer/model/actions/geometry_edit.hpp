// The state's corrections applied to what a file says.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/recon/session.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// Every view's detector moved and turned as GeometryState says: the axis, then placed().
Scan adjusted(const Scan&, const GeometryState&);
/// What the state says besides the axis: a shift along v, then tilts as in DetectorPlacement. Throws InputError where a
/// curved detector would be tilted.
Scan placed(Scan, const GeometryState&);

/// What the state asks of a session whose scan file has the axis at `center_px`. The region's place is left out: it is
/// moved relative to the middle that the session finds.
SessionOptions session_options(const ReconState&, const GeometryState&, const GridState&, double center_px);

}  // namespace backlit::viewer
