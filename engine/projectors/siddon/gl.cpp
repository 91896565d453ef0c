// Siddon's method on the graphics pipeline: rays go through slices as in joseph (projectors/joseph/gl.hpp).
#include "projectors/joseph/gl.hpp"
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {

OperatorPtr make_siddon(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                        const ProjectionVariant& variant) {
  GlBackend& device = current_gl(backend);
  auto plan = std::make_unique<SliceProjection>(device.shared_context(), device.timings(), grid, scan, options, variant,
                                                QuarterTurns());
  const bool matched = options.precision != Precision::half;
  return std::make_unique<GlRayDriven>(device, grid, scan, options, std::move(plan), matched);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo siddon_gl() {
  ProjectorInfo info;
  info.model = Model::siddon;
  info.device = "gl";
  info.options = {"pipeline", "accumulate"};
  info.require = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    gl::require_textures(gl::current_gl(backend).context(), grid, scan);
  };
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_siddon(backend, grid, scan, options, gl::ProjectionVariant::of(options));
  };
  return info;
}

}  // namespace backlit
