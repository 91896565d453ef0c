// The engine's part in what is computed from the volume shown: segments, their thickness, the volume without noise.
#include <algorithm>
#include <cmath>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/local_thickness.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/recon/denoise.hpp>
#include <backlit/render/isosurface.hpp>
#include "model/engine/engine_parts.hpp"
#include "model/values/point_sampler.hpp"
#include "model/values/pores.hpp"
#include "model/values/segment_field.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

/// Statistics of the values above 0.
event::ThicknessFound summary_of(const Volume& map) {
  std::vector<float> values;
  std::ranges::copy_if(map.values.span(), std::back_inserter(values), [](float v) { return v > 0; });
  const RegionStatistics s = statistics_of(values);
  event::ThicknessFound found{s.mean, s.deviation, s.high, std::vector<double>(48)};
  const double bins = static_cast<double>(found.shares.size());
  for (const float v : values)
    found.shares[std::min(found.shares.size() - 1, static_cast<std::size_t>(v / s.high * bins))] +=
        1 / static_cast<double>(values.size());
  return found;
}

/// Made on the card, where there is one that can. A CPU that draws would take longer than the host's code.
Mesh surface_of(gl::GlBackend& gl, const Volume& field, const Watch& watch) {
  try {
    if (!gl.context().limits().software) return isosurface(gl, field, 0, watch);
  } catch (const DeviceFailure&) {
    throw;
  } catch (const Failure&) {  // no room beside the volume that is shown
  } catch (const Unsupported&) {
  }
  return isosurface(field, 0, watch);
}

}  // namespace

void Engine::segment(const order::Segment& order, const CancelToken& cancel) {
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  Volume field = shown_volume();
  make_segment_field(field, order.low, order.high, order.balls);
  event::Segmented made;
  made.generation = options_.display->generation();
  made.serial = order.serial;
  made.voxels = std::ranges::count_if(field.values.span(), [](float v) { return v > 0; });
  if (made.voxels == 0 && !order.surface.empty())
    throw InputError("segment", "it is empty", "lower its least value, or paint something");
  if (made.voxels > 0) {
    const Mesh mesh = surface_of(gl_, field, watch);
    made.volume = mesh.volume();
    made.surface = mesh.area();
    made.pores = enclosed_voxels(field);
    if (!order.surface.empty()) save_mesh(mesh, order.surface);
  }
  options_.emit(made);
  if (!order.surface.empty()) options_.emit(event::Exported{order.surface});
}

void Engine::show_segment(const order::ShowSegment& order, const CancelToken& cancel) {
  if (!options_.segment || (!source_.volume && !shown_run())) return;
  Volume field = shown_volume();
  make_segment_field(field, order.low, order.high, order.balls);
  AnyDisplay display(*options_.segment, options_.context);
  const std::int64_t last = options_.segment->generation() - 1;
  if (!options_.segment_gate->wait_to_overwrite(last, [&] { return cancel.requested(); })) return;
  display.publish(field.values.span(), field.grid);
  options_.emit(event::SegmentShown{options_.display->generation()});
}

void Engine::thickness(const order::Thickness& order, const CancelToken& cancel) {
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  Volume map = shown_volume();
  make_segment_field(map, order.low, order.high, order.balls);
  local_thickness(map, watch);
  event::ThicknessFound found = summary_of(map);
  if (found.largest == 0)
    throw InputError("wall thickness", "the segment is empty", "lower its least value, or paint something");
  found.generation = options_.display->generation();
  found.kept = order.kept;
  pin_computed(std::make_shared<const Volume>(std::move(map)), "wall thickness, mm", order.kept, cancel);
  options_.emit(found);
}

void Engine::denoise(const order::Denoise& order, const CancelToken& cancel) try {
  Activity activity(options_.emit);
  const Watch watch(activity, cancel);
  Volume volume = made_volume();
  if (order.strength > 0) {
    const double radius = order.strength * noise_in(volume);
    if (options_.context->limits().software)
      volume = denoised(backend("cpu"), volume, radius, watch);
    else
      try {
        volume = denoised(gl_, volume, radius, watch);
      } catch (const DeviceFailure&) {
        throw;
      } catch (const Failure&) {  // no room beside the volume that is shown
        volume = denoised(backend("cpu"), volume, radius, watch);
      }
  }
  if (!options_.gate->wait_to_overwrite(display_.generation() - 1, [&] { return cancel.requested(); })) return;
  display_.publish(volume.values.span(), volume.grid);
  const RunState* const run = shown_run();
  options_.emit(
      event::Published{display_.generation(), volume.grid, true, run ? run->order.serial : 0, false, order.strength});
  denoised_.reset();
  if (order.strength > 0) denoised_ = std::move(volume);
  make_histogram(true);
} catch (const Cancelled&) {  // by a run, or by another strength
}

}  // namespace backlit::viewer
