#include "recon/support_mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit {

Volume cylinder_mask(const VolumeGrid& grid) {
  Volume mask(grid);
  const Vec3 half = 0.5 * (grid.upper() - grid.lower());
  const double radius = std::min(half.x, half.y);
  parallel_for(grid.size[2], [&](std::int64_t k) {
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 at = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), 0) - grid.center;
        mask.at(i, j, k) = std::hypot(at.x, at.y) <= radius ? 1.0f : 0.0f;
      }
  });
  return mask;
}

void require_on_grid(const Volume& volume, const VolumeGrid& grid, const std::string& where) {
  const auto size_text = [](const VolumeGrid& g) {
    return fmt::format("{} x {} x {} voxels of {:.6g} x {:.6g} x {:.6g} mm about ({:.6g}, {:.6g}, {:.6g})", g.size[0],
                       g.size[1], g.size[2], g.spacing.x, g.spacing.y, g.spacing.z, g.center.x, g.center.y, g.center.z);
  };
  bool same = volume.grid.size == grid.size;
  for (int a = 0; a < 3; ++a) {
    const double tolerance = 1e-3 * grid.spacing[a];
    same = same && std::abs(volume.grid.lower()[a] - grid.lower()[a]) <= tolerance &&
           std::abs(volume.grid.upper()[a] - grid.upper()[a]) <= tolerance;
  }
  if (!same)
    throw InputError(where, fmt::format("has {}, the reconstruction {}", size_text(volume.grid), size_text(grid)),
                     "give `grid`, `voxel` and `grid_center` that make them equal, or another volume");
}

Volume mask_of(const Volume& volume, const VolumeGrid& grid, const std::string& where) {
  require_on_grid(volume, grid, where);
  Volume mask(grid);
  std::transform(volume.values.begin(), volume.values.end(), mask.values.begin(),
                 [](float v) { return v != 0 ? 1.0f : 0.0f; });
  if (std::find(mask.values.begin(), mask.values.end(), 1.0f) == mask.values.end())
    throw InputError(where, "is 0 everywhere, so that no voxel is left", "give a mask with voxels that are not 0");
  return mask;
}

}  // namespace backlit
