// The engine's part in comparing two volumes: A, which was pinned, and B, which is shown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/data/registration.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/engine/engine_parts.hpp"
#include "model/values/point_sampler.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t most_voxels = std::int64_t{1} << 26;
/// Of a volume that is registered: finer voxels than these hardly change where it belongs.
constexpr std::int64_t most_registered = std::int64_t{1} << 21;

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

VolumeGrid thinned_to(const VolumeGrid& grid, std::int64_t voxels) {
  std::int64_t stride = 1;
  while (thinned(grid, stride).voxels() > voxels) ++stride;
  return thinned(grid, stride);
}

/// A volume's values at a grid's voxels, slice by slice, where the volume lies turned and moved; 0 outside of it.
Volume resampled(PointSampler& sampler, const gl::GlDisplayVolume::Front& front, const VolumeGrid& grid,
                 const RigidMotion& motion, const Watch& watch) {
  Volume volume(grid);
  std::vector<Vec3> points;
  std::int64_t next = 0;
  const bool still = motion.identity();
  const glm::dmat3 back = glm::transpose(motion.turn());
  watch.begin("compare", grid.size[2], "slices");
  for (std::int64_t k = 0; k < grid.size[2]; ++k) {
    points.clear();
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 at = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        points.push_back(still ? at : back * (at - motion.shift - motion.pivot) + motion.pivot);
      }
    for (const float v : sampler.values(front, points)) volume.values[next++] = std::isfinite(v) ? v : 0.0f;
    watch.advance(1);
  }
  watch.end();
  return volume;
}

}  // namespace

bool Engine::may_replace_pinned(const CancelToken& cancel) {
  if (!options_.pinned) throw InputError("pin", "there is no place for a second volume");
  return options_.pinned_gate->wait_to_overwrite(options_.pinned->generation() - 1, [&] { return cancel.requested(); });
}

void Engine::pin(const order::Pin& order, const CancelToken& cancel) {
  const auto emit = [&](std::int64_t generation, std::shared_ptr<const Histogram> histogram) {
    const VolumeGrid grid = generation > 0 ? options_.pinned->grid() : VolumeGrid{};
    options_.emit(event::Pinned{generation, grid, order.file, std::move(histogram), "", order.kept});
  };
  if (!order.shown && order.kept > 0 && order.kept == pinned_kept_)
    return emit(options_.pinned->generation(), nullptr);  // it is A still
  std::shared_ptr<const Volume> volume;
  if (!order.file.empty()) {
    Activity activity(options_.emit);
    try {
      volume = std::make_shared<const Volume>(load_volume(order.file, Watch(activity, cancel)));
    } catch (const InputError&) {
      emit(0, nullptr);
      throw;
    }
  } else if (!order.shown) {
    volume = kept_.find(order.kept);
    if (!volume) {
      emit(0, nullptr);
      throw InputError("undo", "the volume that was A is no longer kept", "make it again, and pin it");
    }
  } else if (denoised_) {
    volume = std::make_shared<const Volume>(Volume{denoised_->grid, denoised_->values.clone()});
  } else {
    volume = source_.volume;
  }
  RunState* const run = volume ? nullptr : shown_run();
  if (!run && !volume) throw InputError("pin", "there is no volume yet", "open or reconstruct one");
  if (!may_replace_pinned(cancel)) return;
  AnyDisplay pinned(*options_.pinned, options_.context);
  if (volume) {
    pinned.publish(volume->values.span(), volume->grid);
  } else {
    pinned.set_backend(*run->backend);
    run->reconstruction->publish(pinned);
    if (kept_.fits(pinned.grid())) volume = std::make_shared<const Volume>(made_volume());
  }
  pinned_kept_ = order.kept;
  if (order.shown && volume) kept_.keep(order.kept, volume);
  emit(options_.pinned->generation(), sampled_histogram(*sampler_, options_.pinned->front(), std::int64_t{1} << 18));
}

void Engine::pin_computed(std::shared_ptr<const Volume> volume, const std::string& what, std::int64_t kept,
                          const CancelToken& cancel) {
  if (!may_replace_pinned(cancel)) return;
  AnyDisplay pinned(*options_.pinned, options_.context);
  pinned.publish(volume->values.span(), volume->grid);
  pinned_kept_ = kept;
  kept_.keep(kept, std::move(volume));
  options_.emit(event::Pinned{options_.pinned->generation(), options_.pinned->grid(), "",
                              sampled_histogram(*sampler_, options_.pinned->front(), std::int64_t{1} << 18), what,
                              kept});
}

void Engine::compare_volumes(const order::CompareVolumes& order, const CancelToken& cancel) {
  const auto [a, b] = both();
  Activity activity(options_.emit);
  const VolumeGrid grid = thinned_to(b.grid, most_voxels);
  const Watch watch(activity, cancel);
  const Volume first = resampled(*sampler_, a, grid, motion_of(order.pinned, a.grid), watch),
               second = resampled(*sampler_, b, grid, {}, watch);
  options_.emit(
      event::VolumesCompared{backlit::compare(second.values.span(), first.values.span(), grid.size), b.generation});
}

void Engine::register_pinned(const order::Register& order, const CancelToken& cancel) {
  const auto [a, b] = both();
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  const Volume moving = resampled(*sampler_, a, thinned_to(a.grid, most_registered), {}, watch),
               fixed = resampled(*sampler_, b, thinned_to(b.grid, most_registered), {}, watch);
  const Registration found = register_rigid(fixed, moving, motion_of(order.pinned, a.grid), watch);
  options_.emit(event::Registered{found.motion.shift, found.motion.angles, found.before, found.information});
}

void Engine::export_pinned(const order::ExportPinned& order, const CancelToken& cancel) {
  const auto [a, b] = both();
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  save_volume(resampled(*sampler_, a, b.grid, motion_of(order.pinned, a.grid), watch), order.path, watch);
  options_.emit(event::Exported{order.path});
}

std::pair<gl::GlDisplayVolume::Front, gl::GlDisplayVolume::Front> Engine::both() const {
  const auto b = options_.display->front();
  if (!options_.pinned || !options_.pinned->generation() || !b.tiles)
    throw InputError("compare", "there are no two volumes", "pin one, then make another");
  return {options_.pinned->front(), b};
}

}  // namespace backlit::viewer
