// Siddon's method on the graphics pipeline: it goes through slices as joseph does (projectors/joseph/gl.hpp).
#include "projectors/list.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/projection_variant.hpp"

namespace backlit {

ProjectorInfo siddon_gl() {
  using enum Precision;
  ProjectorInfo info = gl::ray_driven_info(Model::siddon);
  info.variants = [] {
    return gl::variants_of(
        Model::siddon,
        {{{fast}, Packing::none, {"draw=compute", "draw=rays", "draw=slices"}},
         {{fast}, Packing::none, {"draw=rays,accumulate=ping_pong", "draw=slices,accumulate=ping_pong"}}});
  };
  return info;
}

}  // namespace backlit
