// Blobs on the graphics pipeline: projectors/shared/gl/line_projection.hpp does the work.
#include "projectors/gl_variants.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/line_projection.hpp"

namespace backlit::gl {

OperatorPtr make_blob(Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                      const ProjectionVariant& variant) {
  GlBackend& device = current_gl(backend);
  auto plan = std::make_unique<LineProjection>(device.shared_context(), device.timings(), grid, scan, options, variant);
  return std::make_unique<GlRayDriven>(device, grid, scan, options, std::move(plan), true);
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo blob_gl() {
  ProjectorInfo info;
  info.model = Model::blob;
  info.device = "gl";
  info.precisions = {Precision::exact, Precision::fast};
  info.options = {"pipeline"};
  info.require = gl::require_line_projection;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_blob(backend, grid, scan, options, gl::ProjectionVariant::of(options));
  };
  return info;
}

}  // namespace backlit
