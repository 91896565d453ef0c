// The joint histogram of values and gradients, on which the boxes of a transfer function are drawn.
#pragma once

#include <vector>

#include <backlit/render/transfer_function.hpp>
#include "frame.hpp"

namespace backlit::viewer {

/// Draws the histogram of the volume shown, and edits boxes in its values: a drag draws a box, moves one or one of its
/// sides, a right click removes one. `chosen`: the box that was touched last; -1: none. Returns whether boxes changed.
bool edit_boxes(Frame&, std::vector<TransferFunction::Box>& boxes, int& chosen);

}  // namespace backlit::viewer
