// Ray casting on the graphics pipeline: projectors/shared/gl/line_projection.hpp does the work.
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/line_projection.hpp"

namespace backlit::gl {

OperatorPtr make_raycast(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                         const ProjectionVariant& variant) {
  GlBackend& device = current_gl(backend);
  auto plan = std::make_unique<LineProjection>(device.shared_context(), device.timings(), grid, scan, options, variant);
  const bool matched = options.precision == Precision::exact;
  return std::make_unique<GlRayDriven>(device, grid, scan, options, std::move(plan), matched);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo raycast_gl() {
  ProjectorInfo info;
  info.model = Model::raycast;
  info.device = "gl";
  info.options = {"pipeline", "step"};
  info.require = gl::require_line_projection;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_raycast(backend, grid, scan, options, gl::ProjectionVariant::of(options));
  };
  return info;
}

}  // namespace backlit
