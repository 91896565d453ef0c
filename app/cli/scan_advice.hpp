// What a user should hear before FDK makes the best of a scan that does not suit it.
#pragma once

#include <backlit/data/projections.hpp>
#include "command.hpp"

namespace backlit::cli {

/// Warns, one line each, of too few views and of projections that are cut off at the detector's sides. Reads up to 16
/// views of `source` (line integrals); `center_px` is the column on which the axis projects.
void advise_on_fdk(ProjectionSource& source, double center_px, const Console&);

}  // namespace backlit::cli
