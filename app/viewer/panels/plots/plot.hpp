// Curves in a panel.
#pragma once

#include <imgui.h>

#include <cmath>
#include <span>

#include "frame.hpp"

namespace backlit::viewer {

struct Curve {
  std::span<const double> x, y;
  ImU32 color = 0;
  const char* name = "";
};

struct PlotLook {
  const char* x_label = "";
  float height = 105;  ///< units of the layout
  bool log_x = false, log_y = false;
  bool whole_x = false;   ///< no ticks between whole numbers
  double level = NAN;     ///< a value that is marked by a line
  bool read_out = false;  ///< shows the values under the pointer
};

/// Draws curves over the width of the panel; an empty plot without values. Values without a logarithm are left out on
/// logarithmic axes. Scripts find the plot by `id`.
void plot(Frame&, const char* id, std::span<const Curve>, const PlotLook&);

}  // namespace backlit::viewer
