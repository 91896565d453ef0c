#include <backlit/geometry/volume_grid.hpp>

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

void VolumeGrid::check(const char* where) const {
  constexpr std::int64_t largest = std::int64_t{1} << 20;  // voxels along an axis; the product of three fits 64 bits
  for (std::size_t a = 0; a < 3; ++a) {
    const char axis = "xyz"[a];
    const int i = static_cast<int>(a);
    if (size[a] < 1 || size[a] > largest)
      throw InputError(where, fmt::format("{} voxels along {}", size[a], axis), fmt::format("give 1 to {}", largest));
    if (!(spacing[i] > 0) || !std::isfinite(spacing[i]) || !std::isfinite(center[i]))
      throw InputError(where, fmt::format("voxel size {} mm, centre {} mm along {}", spacing[i], center[i], axis),
                       "give finite numbers and a positive size");
  }
}

}  // namespace backlit
