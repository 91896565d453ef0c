// The update of algebraic reconstruction as one pass.
#include "backend/gl/backprojection.hpp"
#include "backend/gl/dispatch.hpp"

namespace backlit::gl {

bool Backprojection::relax(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                           float factor, float least) {
  const ViewRun views = next_run(projections, layers, subset, 0, subset.count);
  if (views.count < subset.count) return false;
  context_->make_current();
  if (!relax_) relax_ = make_program("relax", {"backproject/relax.comp"}, 0);
  const Pass pass(timings_, "relax");
  sampler_.bind(0);
  table_.views.bind_storage(0);
  projections.textures()[views.texture].bind(0);
  relax_.set("relaxation", factor);
  relax_.set("least", least);
  relax_.use();
  std::int64_t first_slice = 0;
  for (const Texture& target : volume.textures()) {
    set_pass(relax_, views, first_slice, true);
    target.bind_image(0, GL_READ_WRITE);
    glDispatchCompute(groups(target.width(), 16), groups(target.height(), 16),
                      groups(target.depth(), slices_per_invocation));
    first_slice += target.depth();
  }
  glMemoryBarrier(everything_that_reads);
  glBindSampler(0, 0);
  return true;
}

}  // namespace backlit::gl
