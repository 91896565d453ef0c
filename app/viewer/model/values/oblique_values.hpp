// The oblique slice as numbers.
#pragma once

#include <backlit/render/plane.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

/// What the oblique slice shows: from the projections where it was computed from them, else from the volume, outside of
/// which it is 0. Throws InputError where none is shown.
Plane oblique_shown(Model&);

}  // namespace backlit::viewer
