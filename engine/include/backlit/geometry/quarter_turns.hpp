// Finds the quarter-turn groups that orbit packing needs; projectors/voxel_driven/orbit.hpp explains their use.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// An untilted circular scan (or parallel beam) whose views form groups at phi, phi + 90, phi + 180, phi + 270 degrees.
struct QuarterTurns {
  struct Group {
    double angle;                       ///< radians, of the first view, within 45 degrees of the x axis
    std::array<std::int64_t, 4> views;  ///< indices at angle + 0, 90, 180, 270 degrees
  };
  std::vector<Group> groups;

  // A point with a = x cos + y sin and b = y cos - x sin, height z, is seen at
  //   column = column0 + columns b / (distance - a), row = row0 + rows (z - source_z) / (distance - a)
  // (parallel: the denominators are 1).
  bool parallel = false;
  double distance = 0;  ///< mm, source to axis; 0 for parallel beams
  double source_z = 0;  ///< mm
  double column0 = 0, columns = 0, row0 = 0, rows = 0;

  std::string refusal;  ///< why there are no groups; empty when there are

  /// The views, group after group.
  std::vector<std::int64_t> order() const;
  /// Whether the scan's views are in the order of order(): group n has views 4 n to 4 n + 3.
  bool in_order() const;
};

/// Groups the views, or sets `refusal`: grid not square, not centred on the axis, x and y spacing differ, curved or
/// tilted detector, detector position not the same in all views (1e-6), no quarter-turn partner.
QuarterTurns find_quarter_turns(const Scan&, const VolumeGrid&);

}  // namespace backlit
