// Boxes that divide an array.
#pragma once

#include <vector>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// A part of an array, in elements along n0, n1, n2.
struct Box {
  Size3 first{0, 0, 0}, size{0, 0, 0};
  ArrayShape shape() const { return {size[0], size[1], size[2]}; }
  bool operator==(const Box&) const = default;
};

/// Divides an array into boxes of at most `largest`, in the order n0 fastest.
std::vector<Box> boxes_of(const ArrayShape& whole, const Size3& largest);

}  // namespace backlit
