// A segment as a field: values of a range, with what a brush added and took away.
#pragma once

#include <backlit/data/volume.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// Turns a volume's values into a field that is positive in the segment and 0 on its surface. The surface of the range
/// lies where linear interpolation has it. `high`: infinite where there is no upper end.
void make_segment_field(Volume&, double low, double high, std::span<const BrushBall>);

}  // namespace backlit::viewer
