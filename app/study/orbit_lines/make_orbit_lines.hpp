// Finds the symmetry that study/orbit_lines/orbit_lines.hpp needs, and the parameters for it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include "study/orbit_lines/orbit_lines.hpp"

namespace backlit {

struct OrbitLines {
  LineScan scan{};
  LineSources sources{};
  struct Group {
    float cosine, sine;
    std::array<int, 8> views;  ///< views of the scan: channels of side 0, then of side 1
  };
  std::vector<Group> groups;
  float least_step = 0, most_step = 0;  ///< rows for each slice, over the grid
  std::string refusal;                  ///< reason why there are no lines; empty if there are
};

/// Needs quarter-turn groups whose mirror images are views too, and a cone beam whose rows run along z. The axis and
/// the source's plane must fall on the middle or edge of a pixel (1e-4). The slices must be symmetric about that plane.
OrbitLines make_orbit_lines(const Scan&, const VolumeGrid&);

/// Stored texels that the window of any tile of side x side orbits and `slices` slices needs.
struct LineRoom {
  int columns, rows;
};
LineRoom line_room(const OrbitLines&, int side, int slices, int upper_slices);

}  // namespace backlit
