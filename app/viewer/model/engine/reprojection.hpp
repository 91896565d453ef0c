// Reprojects the volume shown with the scanner's geometry.
#pragma once

#include <vector>

#include "model/engine/events.hpp"

namespace backlit::viewer {

/// Compares one view of `scan`, measured (rows x columns), with the line integrals of the current volume.
ViewComparison compare_view(Backend&, Reconstruction&, const Scan& scan, std::int64_t view,
                            std::vector<float> measured);

}  // namespace backlit::viewer
