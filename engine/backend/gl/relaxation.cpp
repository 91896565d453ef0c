// The update of algebraic reconstruction as one pass.
#include "backend/gl/backprojection.hpp"
#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"

namespace backlit::gl {

bool Backprojection::relax(const GlArray& projections, Layers layers, const Subset& subset, GlArray& volume,
                           float factor, float least, bool draw) {
  const ViewRun views = next_run(projections, layers, subset, 0, subset.count);
  const bool other = variant_.interpolation != V::Interpolation::linear || variant_.kill != V::Kill::none;
  if (views.count < subset.count || other) return false;
  context_->make_current();
  Program& p = draw ? drawn_relax_ : relax_;
  if (!p && draw) p = make_program("relax, drawn", {"backproject/relax.vert", "backproject/relax.frag"}, defines(0));
  if (!p) p = make_program("relax", {"backproject/relax.comp"}, defines(0));
  const Pass pass(timings_, draw ? "relax, drawn" : "relax");
  sampler_.bind(0);
  table_.views.bind_storage(0);
  projections.textures()[views.texture].bind(0);
  p.set("detector_size", static_cast<float>(scan_.detector.columns), static_cast<float>(scan_.detector.rows));
  p.set("relaxation", factor);
  p.set("least", least);
  p.use();
  std::int64_t first_slice = 0;
  for (const Texture& target : volume.textures()) {
    set_pass(p, views, first_slice, true);
    target.bind_image(0, GL_READ_WRITE);
    if (draw)
      draw_columns(target);
    else
      glDispatchCompute(groups(target.width(), 16), groups(target.height(), 16),
                        groups(target.depth(), slices_relaxed));
    first_slice += target.depth();
  }
  glMemoryBarrier(everything_that_reads);
  glBindSampler(0, 0);
  return true;
}

/// A fragment for each column of some slices; nothing is attached, for fragments store what they make.
void Backprojection::draw_columns(const Texture& target) {
  const DrawState state(DrawState::Mode::replace);
  if (!nothing_) nothing_ = Framebuffer("columns");
  const auto width = static_cast<GLsizei>(target.width()), height = static_cast<GLsizei>(target.height());
  glNamedFramebufferParameteri(nothing_.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, width);
  glNamedFramebufferParameteri(nothing_.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, nothing_.id());
  glViewport(0, 0, width, height);
  sampler_.bind(0);
  glBindVertexArray(no_vertices_.id());
  glDrawArraysInstanced(GL_TRIANGLES, 0, 3, static_cast<GLsizei>(groups(target.depth(), slices_relaxed)));
}

}  // namespace backlit::gl
