// Mirror images of quarter-turn groups: which view sees at -phi what a view at phi sees.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <backlit/geometry/quarter_turns.hpp>

namespace backlit {

/// For each group of a scan, the views at -(angle + 0, 90, 180, 270 degrees): indices as in QuarterTurns::Group.
struct MirroredTurns {
  std::vector<std::array<std::int64_t, 4>> views;
  std::string refusal;  ///< why there are none; empty when there are
};

/// Pairs every view with its mirror image at the x axis (2e-6 radians), or says which has none. `turns` has groups.
MirroredTurns find_mirrored_turns(const QuarterTurns& turns);

}  // namespace backlit
