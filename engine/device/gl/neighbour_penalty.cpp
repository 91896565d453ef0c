#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {

void GlBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d, DeviceArray& y) {
  const ArrayShape s = x.shape();
  if (d.shape() != s || y.shape() != s) throw Failure("OpenGL", "arrays of different shapes do not go together");
  const GlArray &from = as_gl(x), &along = as_gl(d);
  if (from.textures().size() > 1)
    throw Unsupported("penalty", fmt::format("{} slices are more than one texture array holds", s.n2),
                      "use `backend` cpu or cuda");
  context_->make_current();
  const bool tv = penalty.kind == NeighbourPenalty::Kind::tv;
  Program& program = stiffness_[tv ? 1 : 0];
  if (!program) program = Program("stiffness", {"vector/stiffness.comp"}, tv ? Defines{{"TV", ""}} : Defines{});
  program.set("p", penalty.p);
  program.set("q", penalty.q);
  program.set("c", penalty.c);
  for (int n = 1; n < 8; ++n) program.set(fmt::format("share[{}]", n).c_str(), penalty.share[n]);
  program.set("square", penalty.square[0], penalty.square[1], penalty.square[2]);
  const Pass pass(timings_, "stiffness");
  program.use();
  from.textures().front().bind(0);
  along.textures().front().bind(1);
  const Texture& target = as_gl(y).textures().front();
  target.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(s.n0, 32), groups(s.n1, 8), static_cast<GLuint>(s.n2));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
