// Compares two volumes: A, which was pinned, and B, which is shown.
#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include "model/engine/engine_parts.hpp"
#include "model/values/point_sampler.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t most_voxels = std::int64_t{1} << 26;

/// The grid of every `n`-th voxel along each axis.
VolumeGrid thinned(const VolumeGrid& grid, std::int64_t n) {
  VolumeGrid thin = grid;
  for (std::size_t a = 0; a < 3; ++a) thin.size[a] = std::max<std::int64_t>(1, (grid.size[a] + n - 1) / n);
  thin.spacing *= static_cast<double>(n);
  const Vec3 last(static_cast<double>(thin.size[0] - 1), static_cast<double>(thin.size[1] - 1),
                  static_cast<double>(thin.size[2] - 1));
  thin.center = grid.first_voxel() + 0.5 * last * thin.spacing;
  return thin;
}

/// Samples a volume at the voxels of `grid`, slice by slice; 0 outside the volume.
std::vector<float> resampled(PointSampler& sampler, const gl::GlDisplayVolume::Front& front, const VolumeGrid& grid,
                             const Watch& watch) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(grid.voxels()));
  std::vector<Vec3> points;
  watch.begin("compare", grid.size[2], "slices");
  for (std::int64_t k = 0; k < grid.size[2]; ++k) {
    points.clear();
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        points.push_back(grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
    for (const float v : sampler.values(front, points)) values.push_back(std::isfinite(v) ? v : 0.0f);
    watch.advance(1);
  }
  watch.end();
  return values;
}

}  // namespace

void Engine::pin() {
  if (!options_.pinned) throw InputError("pin", "a second volume cannot be kept");
  AnyDisplay pinned(*options_.pinned, options_.context);
  RunState* const run = shown_run();
  if (!run && !source_.volume) throw InputError("pin", "there is no volume yet", "open or reconstruct one");
  const CancelToken never;
  options_.pinned_gate->wait_to_overwrite(options_.pinned->generation() - 1, [&] { return never.requested(); });
  if (source_.volume) {
    pinned.publish(source_.volume->values.span(), source_.volume->grid);
  } else {
    pinned.set_backend(*run->backend);
    run->reconstruction->publish(pinned);
  }
  options_.emit(event::Pinned{options_.pinned->generation(), options_.pinned->grid()});
}

void Engine::compare_volumes(const CancelToken& cancel) {
  const auto b = options_.display->front();
  if (!options_.pinned || !options_.pinned->generation() || !b.tiles)
    throw InputError("compare", "two volumes are needed", "pin one, then make another");
  Activity activity(options_.emit);
  std::int64_t stride = 1;
  while (thinned(b.grid, stride).voxels() > most_voxels) ++stride;
  const VolumeGrid grid = thinned(b.grid, stride);
  const auto first = resampled(*sampler_, options_.pinned->front(), grid, Watch(activity, cancel));
  const auto second = resampled(*sampler_, b, grid, Watch(activity, cancel));
  options_.emit(event::VolumesCompared{backlit::compare(second, first, grid.size), b.generation});
}

}  // namespace backlit::viewer
