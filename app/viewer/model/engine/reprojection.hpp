// What the volume shown would look like to the scanner.
#pragma once

#include <vector>

#include "model/engine/events.hpp"

namespace backlit::viewer {

/// One view of `scan`, measured (rows x columns) beside the line integrals of the volume as it stands.
ViewComparison compare_view(Backend&, Reconstruction&, const Scan& scan, std::int64_t view,
                            std::vector<float> measured);

}  // namespace backlit::viewer
