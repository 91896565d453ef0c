#include "projectors/emission/gl_slabs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit::gl {
namespace {

const EmissionOptions& require_slabs(const Context& context, const VolumeGrid& grid, const EmissionOptions& o) {
  const std::int64_t largest = context.limits().texture_size;
  if (std::max({grid.size[0], grid.size[1], grid.size[2]}) > largest)
    throw Unsupported("emission", fmt::format("slices of this device end at {} voxels a side", largest),
                      "use the cpu backend or fewer voxels");
  return o;
}

}  // namespace

GlEmissionSlabs::GlEmissionSlabs(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                                 const Scan& scan, float densest, const EmissionOptions& options,
                                 const EmissionRoom& room)
    : passes_(context, timings, grid, scan, normalised_attenuation(densest, attenuation_way(grid)),
              require_slabs(*context, grid, options), EmissionPasses::Volumes::slabs, room) {}

template <class F>
void GlEmissionSlabs::take_on(const char* name, const SliceSlab& slab, std::span<const std::int64_t> views,
                              DeviceArray& images, F&& f) {
  passes_.context().make_current();
  const Pass timed(passes_.timings(), name);
  const EmissionPasses::Batch b = passes_.batch_of(views, slab);
  passes_.take_on(b, as_gl(images), [&] { f(b); });
  glBindSampler(1, 0);
}

void GlEmissionSlabs::composite(const SliceSlab& slab, const DeviceArray& matter, const DeviceArray& activity,
                                std::span<const std::int64_t> views, DeviceArray& images) {
  take_on("project emission", slab, views, images,
          [&](const EmissionPasses::Batch& b) { passes_.forward(b, as_gl(matter), as_gl(activity), &slab); });
}

void GlEmissionSlabs::give(const SliceSlab& slab, const DeviceArray& matter, std::span<const std::int64_t> views,
                           DeviceArray& images, DeviceArray& activity) {
  take_on("backproject emission", slab, views, images,
          [&](const EmissionPasses::Batch& b) { passes_.back(b, as_gl(matter), as_gl(activity), &slab); });
}

}  // namespace backlit::gl
