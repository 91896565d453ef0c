#include "projectors/emission/gl.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "projectors/emission/make_plane_stack.hpp"
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"

namespace backlit::gl {
namespace {

std::vector<float> normalised(std::span<const float> attenuation, const VolumeGrid& grid) {
  std::vector<float> values(attenuation.size());
  std::ranges::transform(attenuation, values.begin(),
                         [length = unit_length(grid)](float mu) { return normalised_attenuation(mu, length); });
  return values;
}

/// Throws Unsupported for more slices or views than textures have room for.
void require_layers(const EmissionPasses& passes, const VolumeGrid& grid, const Scan& scan) {
  const Limits& limits = passes.context().limits();
  const std::int64_t most = limits.array_layers, side = std::max({grid.size[0], grid.size[1], grid.size[2]});
  if (scan.view_count() > most || side > most)
    throw Unsupported("emission",
                      fmt::format("a device of {} layers a texture holds neither more views nor slices", most),
                      fmt::format("use at most {0} views and {0} voxels along each axis, or the cpu backend", most));
  if (passes.facing() && side > limits.texture_3d_size)
    throw Unsupported("emission slices",
                      fmt::format("facing slices are cut from a 3-D texture, whose sides end at {} voxels here",
                                  limits.texture_3d_size),
                      "use `emission_slices` axis");
}

}  // namespace

GlEmission::GlEmission(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                       std::span<const float> attenuation, const EmissionOptions& options,
                       const EmissionVariant& variant)
    : GlCt(context, grid, scan, {}, GL_R32F),
      attenuation_(context, "attenuation", shape_of(grid)),
      passes_(context, timings, grid, scan,
              normalised_attenuation(*std::ranges::max_element(attenuation), unit_length(grid)), options, variant) {
  require_layers(passes_, grid, scan);
  attenuation_.upload(normalised(attenuation, grid));
}

void GlEmission::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  check_volume(x);
  const Layers place = layers(y, s);
  passes_.context().make_current();
  GlArray& projections = as_gl(y);
  if (write == Write::overwrite) clear_views(projections, place, s);
  const Pass timed(passes_.timings(), "project emission");
  for (const EmissionPasses::Batch& b : passes_.batches_forward(place, s)) {
    passes_.forward(b, attenuation_, as_gl(x));
    passes_.add_to(b, projections);
  }
  glBindSampler(1, 0);
}

void GlEmission::add_back(const GlArray& y, Layers place, const Subset& s, GlArray& x, Write write) {
  passes_.context().make_current();
  if (write == Write::overwrite) x.textures().front().clear(0);
  const Pass timed(passes_.timings(), "backproject emission");
  for (const EmissionPasses::Batch& b : passes_.batches_back(place, s)) {
    passes_.load(b, y);
    passes_.back(b, attenuation_, x);
  }
  glBindSampler(1, 0);
}

OperatorPtr make_emission(Backend& backend, const VolumeGrid& grid, const Scan& scan,
                          std::span<const float> attenuation, const EmissionOptions& options,
                          const EmissionVariant& variant) {
  GlBackend& device = current_gl(backend);
  return std::make_unique<GlEmission>(device.shared_context(), device.timings(), grid, scan, attenuation, options,
                                      variant);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo emission_gl() {
  ProjectorInfo info;
  info.model = Model::emission;
  info.device = "gl";
  info.options = {"pipeline"};
  info.make_emission = [](Backend& backend, const VolumeGrid& grid, const Scan& scan,
                          std::span<const float> attenuation, const EmissionOptions& options) {
    return gl::make_emission(backend, grid, scan, attenuation, options, gl::EmissionVariant::of(options));
  };
  return info;
}

}  // namespace backlit
