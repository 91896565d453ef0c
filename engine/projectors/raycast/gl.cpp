// Ray casting on the graphics pipeline: projectors/shared/gl/line_projection.hpp does the work.
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/projection_variant.hpp"

namespace backlit {

ProjectorInfo raycast_gl() {
  using enum Precision;
  ProjectorInfo info = gl::ray_driven_info(Model::raycast);
  info.variants = [] {
    return gl::variants_of(Model::raycast,
                           {{{exact, fast, half}, Packing::none, {"draw=compute", "draw=rays"}},
                            {{fast}, Packing::none, {"draw=compute,fetch=slices", "draw=rays,fetch=slices"}}});
  };
  return info;
}

}  // namespace backlit
