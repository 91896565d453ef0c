// The values of the oblique slice.
#pragma once

#include <backlit/render/plane.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

/// Values as shown: from the projections if the slice was computed from them, else from the volume (0 outside it).
/// Throws InputError if no oblique slice is shown.
Plane oblique_shown(Model&);

}  // namespace backlit::viewer
