// Finds the symmetry that study/orbit_lines/orbit_lines.hpp needs, and the numbers that go with it.
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
    std::array<int, 8> views;  ///< of the scan: channels of side 0, then of side 1
  };
  std::vector<Group> groups;
  float least_step = 0, most_step = 0;  ///< rows a slice, over the grid
  std::string refusal;                  ///< why there are no lines; empty where there are
};

/// Wants quarter-turn groups whose mirror images are views too, a cone beam whose rows run along z, the axis and the
/// source's plane on the middle or edge of a pixel (1e-4), and slices symmetric about that plane.
OrbitLines make_orbit_lines(const Scan&, const VolumeGrid&);

/// Stored texels that the window of any tile of side x side orbits and `slices` slices needs.
struct LineRoom {
  int columns, rows;
};
LineRoom line_room(const OrbitLines&, int side, int slices, int upper_slices);

}  // namespace backlit
