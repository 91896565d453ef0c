#include "cuda/lines_of_response/tiling.hpp"

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

/// Size of equal parts of n, at most `most`.
int even_part(int n, int most) {
  const int parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

/// The class of taps of the widest lines along one axis. `spacing`: along the axis, a and b.
int widest_class(const float (&spacing)[3], float radius) {
  int taps = 2;
  for (const int i : {1, 2}) {
    const float steepest = std::sqrt(1 + std::pow(spacing[i] / spacing[0], 2.0f));
    taps = std::max(taps, static_cast<int>(2.0001f * radius / spacing[i] * steepest) + 1);
  }
  if (taps > tap_classes[tap_class_count - 1]) throw Failure("cuda", "a tube is too wide for its voxels");
  return class_of(taps);
}

/// The margin of an axis' tiles, for all its lines.
int widest_margin(int widest) { return std::min(tap_classes[widest], most_margin_taps) - 1; }

}  // namespace

Tilings choose_tiles(const LorGrid& grid, float radius, int shared_floats) {
  Tilings tilings;
  int first = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Tiling& t = tilings.axis[axis];
    const int axes[3] = {axis, first_in_slice(axis), second_in_slice(axis)};
    const std::int64_t strides[3] = {1, grid.size[0], std::int64_t{grid.size[0]} * grid.size[1]};
    for (int i = 0; i < 3; ++i) {
      t.size[i] = grid.size[axes[i]];
      t.spacing[i] = static_cast<float>(grid.spacing[axes[i]]);
      t.stride[i] = strides[axes[i]];
    }
    t.widest = widest_class(t.spacing, radius);
    const int margin = widest_margin(t.widest);
    int a = 0, b = 0, slices = 0;
    // Whole slices where several fit, otherwise parts that are close to cubes.
    for (int parts = 1; parts == 1 || slices < std::min(t.size[0], std::max(a, b) / 2); ++parts) {
      const int side = (std::max(t.size[1], t.size[2]) + parts - 1) / parts;
      a = even_part(t.size[1], side);
      b = even_part(t.size[2], side);
      slices = (shared_floats - margin * (a + margin + 1)) / ((a + margin) * (b + margin));
      if (parts == 1 && slices >= std::min(t.size[0], 6)) break;
      if (side == 1) break;
    }
    if (slices < 1) throw Failure("cuda", "a tube is too wide for the device's shared memory", "use a narrower tube");
    t.tile[0] = even_part(t.size[0], std::min(slices, 255));
    t.tile[1] = a;
    t.tile[2] = b;
    for (int i = 0; i < 3; ++i) t.tiles[i] = (t.size[i] + t.tile[i] - 1) / t.tile[i];
    t.first = first;
    first += t.tiles[0] * t.tiles[1] * t.tiles[2];
  }
  return tilings;
}

int most_floats(const Tilings& tilings) {
  int most = 0;
  for (const Tiling& t : tilings.axis) {
    const int margin = widest_margin(t.widest), row = t.tile[1] + margin;
    most = std::max(most, (t.tile[0] * (t.tile[2] + margin) + margin) * row + margin);
  }
  return most;
}

}  // namespace backlit::cuda
