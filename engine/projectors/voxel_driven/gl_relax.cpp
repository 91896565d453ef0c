// The update of algebraic reconstruction as one pass. It is computed, or drawn slice by slice from one volume into
// another (ping-pong). Where fragments compute positions themselves, it is drawn as columns that are stored. Positions
// are those of back() to the bit. The rasteriser would round them, and so the hardware's weights, differently.
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "projectors/voxel_driven/gl.hpp"

namespace backlit::gl {

bool Backprojection::relax(const GlArray& projections, const GlArray& view_of_ones, Layers layers, const Subset& subset,
                           GlArray& volume, float factor, float least) {
  const ViewRun views = next_run(projections, layers, subset, 0, subset.count);
  const bool other = variant_.interpolation != V::Interpolation::linear || variant_.kill != V::Kill::none || packs_;
  if (views.count < subset.count || other || (halves_ && views.count > halves_->most_views())) return false;
  const bool slices = !computes() && !loops() && variant_.target != V::Target::image && views.count <= variant_.views;
  if (!slices && !computes() && variant_.transform == V::Transform::vertex) return false;
  context_->make_current();
  if (halves_) halves_->choose_unit(projections);
  const ViewRun bound = bind_views(projections, views);
  view_of_ones.textures()[0].bind(2);
  sampler_.bind(2);
  Program& p = slices ? relax_slices(views.count) : relax_columns();
  const Pass pass(timings_, computes() ? "relax" : slices ? "relax, drawn slices" : "relax, drawn columns");
  table_.views.bind_storage(0);
  p.set("relaxation", factor);
  p.set("least", least);
  const DrawState state(DrawState::Mode::replace);
  glBindVertexArray(no_vertices_.id());
  std::int64_t first_slice = 0;
  for (std::size_t c = 0; c < volume.textures().size(); ++c) {
    Texture& target = volume.textures()[c];
    set_pass(p, bound, first_slice, true);
    p.use();
    if (slices) {
      redraw(p, target, c, views.count);
    } else {
      relax_in_place(target);
      context_->pace(updates(target, views.count));
    }
    first_slice += target.depth();
  }
  glMemoryBarrier(everything_that_reads);
  glBindSampler(2, 0);
  return true;
}

Program& Backprojection::relax_columns() {
  const std::vector<std::string> computed{"voxel_driven/relax.comp"};
  const std::vector<std::string> drawn{"voxel_driven/relax.vert", "voxel_driven/relax.frag"};
  if (!relax_)
    relax_ = make_program("relax columns", computes() ? computed : drawn, {{"SLICES", std::to_string(slices_relaxed)}});
  return relax_;
}

Program& Backprojection::relax_slices(std::int64_t views) {
  return relax_slices_.of(views, [&](std::int64_t n) { return make_drawing("relax slices", SliceWork::relax, n); });
}

void Backprojection::relax_in_place(const Texture& target) {
  target.bind_image(0, GL_READ_WRITE);
  if (computes())
    glDispatchCompute(groups(target.width(), 16), groups(target.height(), 16), groups(target.depth(), slices_relaxed));
  else
    draw_columns(target);
}

/// Draws from the volume's c-th texture into scratch_[c], then swaps the two.
void Backprojection::redraw(Program& p, Texture& target, std::size_t c, std::int64_t views) {
  make_scratch();
  target.bind(1);
  draw_layers(p, {0, target.depth(), &target, &scratch_[c], nullptr}, views);
  std::swap(target, scratch_[c]);
}

/// Draws one fragment for each column of some slices. Nothing is attached; fragments store their results.
void Backprojection::draw_columns(const Texture& target) {
  if (!nothing_) nothing_ = Framebuffer("columns");
  const auto width = static_cast<GLsizei>(target.width()), height = static_cast<GLsizei>(target.height());
  glNamedFramebufferParameteri(nothing_.id(), GL_FRAMEBUFFER_DEFAULT_WIDTH, width);
  glNamedFramebufferParameteri(nothing_.id(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, nothing_.id());
  glViewport(0, 0, width, height);
  glDrawArraysInstanced(GL_TRIANGLES, 0, 3, static_cast<GLsizei>(groups(target.depth(), slices_relaxed)));
}

}  // namespace backlit::gl
