// The histogram of the volume, drawn behind controls that set values.
#pragma once

#include <imgui.h>

#include "frame.hpp"
#include "views/panes/pane.hpp"

namespace backlit::viewer {

/// Axis of values from left to right.
struct ValueAxis {
  double low = 0, high = 1;
  Rect rect;
  float x(double value) const { return rect.min.x + static_cast<float>((value - low) / (high - low)) * rect.size.x; }
  double value(float x) const { return low + (high - low) * static_cast<double>((x - rect.min.x) / rect.size.x); }
};

/// An axis over the window and most of the values; without a histogram over the window alone.
ValueAxis value_axis(const Frame&, const Rect&);
/// Bars on a logarithmic scale.
void draw_histogram(const Frame&, const ValueAxis&, ImU32 color);
/// Tick labels under the axis, and the unit at its right end; returns their height.
float draw_value_ticks(const Frame&, const ValueAxis&, const char* unit);

}  // namespace backlit::viewer
