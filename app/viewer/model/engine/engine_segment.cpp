// The engine's part in segments: their volume and surface.
#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/render/isosurface.hpp>
#include "model/engine/engine_parts.hpp"
#include "model/values/segment_field.hpp"

namespace backlit::viewer {

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
    const Mesh mesh = isosurface(field, 0, watch);
    made.volume = mesh.volume();
    made.surface = mesh.area();
    if (!order.surface.empty()) save_mesh(mesh, order.surface);
  }
  options_.emit(made);
  if (!order.surface.empty()) options_.emit(event::Exported{order.surface});
}

}  // namespace backlit::viewer
