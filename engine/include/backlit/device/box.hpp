// Parts of arrays and of grids.
#pragma once

#include <span>
#include <vector>

#include <backlit/device/device_array.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// A part of an array, in elements along n0, n1, n2; of a grid, in voxels.
struct Box {
  Size3 first{0, 0, 0}, size{0, 0, 0};
  ArrayShape shape() const { return {size[0], size[1], size[2]}; }
  bool operator==(const Box&) const = default;
};

/// Boxes of at most `largest` that together are an array, n0 fastest.
std::vector<Box> boxes_of(const ArrayShape& whole, const Size3& largest);

/// A box's values out of the whole's, into them, and added to them; n0 fastest.
void read_box(std::span<const float> whole, const ArrayShape&, const Box&, std::span<float> values);
void write_box(std::span<float> whole, const ArrayShape&, const Box&, std::span<const float> values);
void add_box(std::span<float> whole, const ArrayShape&, const Box&, std::span<const float> values);

/// The grid of a box's voxels alone.
VolumeGrid part_of(const VolumeGrid&, const Box&);

}  // namespace backlit
