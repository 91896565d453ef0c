// A number that is turned on the curve of a criterion along it.
#pragma once

#include <optional>
#include <span>

#include "frame.hpp"

namespace backlit::viewer {

struct Criterion {
  std::span<const double> at, values;  ///< the curve
  double now = 0;                      ///< the number's value
  double found = 0, uncertainty = 0;   ///< of the minimum
  bool determined = true;              ///< false: the minimum is not marked
};

/// Draws the curve on a logarithmic scale over the width of the panel, marks the minimum with its uncertainty and the
/// present value. Returns the value to which it is dragged or clicked: near the minimum that itself. Scripts find it
/// by `id`.
std::optional<double> criterion_slider(Frame&, const char* id, const Criterion&);

}  // namespace backlit::viewer
