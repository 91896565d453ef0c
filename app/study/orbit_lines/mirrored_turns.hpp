// Mirror images of quarter-turn groups: pairs views at phi with views at -phi.
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
  std::string refusal;  ///< reason why there are none; empty if there are
};

/// Pairs every view with its mirror image at the x axis (2e-6 radians); `refusal` names a view without one. `turns`
/// must have groups.
MirroredTurns find_mirrored_turns(const QuarterTurns& turns);

}  // namespace backlit
