#include "model/values/segment_field.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>

namespace backlit::viewer {

void make_segment_field(Volume& volume, double low, double high, std::span<const BrushBall> balls) {
  const VolumeGrid& grid = volume.grid;
  parallel_for(grid.size[2], [&](std::int64_t k) {
    for (std::int64_t n = volume.index(0, 0, k); n < volume.index(0, 0, k + 1); ++n) {
      const double v = volume.values[n];
      volume.values[n] = std::isfinite(v) ? static_cast<float>(std::min(v - low, high - v)) : -1e30f;
    }
  });
  // In units of values a mm, so that both kinds of surfaces meet without steps.
  const double smallest = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const double range = std::isfinite(high) ? 0.5 * (high - low) : std::max(std::abs(low), 1e-12);
  const double steep = range / smallest;
  for (const BrushBall& ball : balls) {
    const double reach = ball.radius + 2 * std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
    Size3 first, end;
    for (std::size_t a = 0; a < 3; ++a) {
      const int i = static_cast<int>(a);
      const double at = (ball.center[i] - grid.first_voxel()[i]) / grid.spacing[i], by = reach / grid.spacing[i];
      const auto most = static_cast<double>(grid.size[a]);
      first[a] = static_cast<std::int64_t>(std::clamp(std::floor(at - by), 0.0, most));
      end[a] = static_cast<std::int64_t>(std::clamp(std::ceil(at + by) + 1, 0.0, most));
    }
    for (std::int64_t k = first[2]; k < end[2]; ++k)
      for (std::int64_t j = first[1]; j < end[1]; ++j)
        for (std::int64_t i = first[0]; i < end[0]; ++i) {
          const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
          const auto within = static_cast<float>(steep * (ball.radius - glm::length(p - ball.center)));
          float& field = volume.at(i, j, k);
          field = ball.added ? std::max(field, within) : std::min(field, -within);
        }
  }
}

}  // namespace backlit::viewer
