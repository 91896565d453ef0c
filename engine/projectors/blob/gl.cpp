// Blobs on the graphics pipeline: projectors/shared/gl/line_projection.hpp does the work.
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/projection_variant.hpp"

namespace backlit {

ProjectorInfo blob_gl() {
  using enum Precision;
  ProjectorInfo info = gl::ray_driven_info(Model::blob);
  info.precisions = {exact, fast};
  info.variants = [] {
    return gl::variants_of(Model::blob, {{{fast}, Packing::none, {"draw=compute", "draw=rays", "draw=slices"}}});
  };
  return info;
}

}  // namespace backlit
