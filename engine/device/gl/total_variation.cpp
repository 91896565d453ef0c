#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {
namespace {

/// The volume's only texture. Throws Unsupported for a volume of several textures.
const Texture& only_texture(const DeviceArray& array, const ArrayShape& shape) {
  if (array.shape() != shape) throw Failure("OpenGL", "arrays of different shapes do not go together");
  const GlArray& a = as_gl(array);
  if (a.textures().size() > 1)
    throw Unsupported("total variation", fmt::format("{} slices are more than one texture array holds", shape.n2),
                      "use `backend` cpu or cuda");
  return a.textures().front();
}

/// The same, for writing.
const Texture& target_texture(DeviceArray& array, const ArrayShape& shape) {
  only_texture(array, shape);
  return as_gl(array).textures().front();
}

void run(Program& program, const Differences& d, const ArrayShape& s) {
  program.set("weight", d.weight[0], d.weight[1], d.weight[2]);
  program.use();
  glDispatchCompute(groups(s.n0, 32), groups(s.n1, 8), static_cast<GLuint>(s.n2));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace

void GlBackend::ascend(const Differences& d, const DeviceArray& x, float step, float radius, const Field& z) {
  const ArrayShape s = x.shape();
  const Texture& from = only_texture(x, s);
  context_->make_current();
  if (!ascend_) ascend_ = Program("ascend", {"vector/ascend.comp"});
  ascend_.set("step", step);
  ascend_.set("radius", radius);
  const Pass pass(timings_, "total variation, dual");
  from.bind(0);
  for (GLuint n = 0; n < 3; ++n) target_texture(*z[n], s).bind_image(n, GL_READ_WRITE);
  run(ascend_, d, s);
}

void GlBackend::descend(const Differences& d, const Field& z, const Descent& step) {
  const ArrayShape s = step.from.shape();
  context_->make_current();
  const bool weighted = step.weights != nullptr;
  Program& program = descend_[weighted ? 1 : 0];
  if (!program) program = Program("descend", {"vector/descend.comp"}, weighted ? Defines{{"WEIGHTED", ""}} : Defines{});
  program.set("low", step.low);
  program.set("high", step.high);
  const Pass pass(timings_, "total variation, primal");
  only_texture(step.from, s).bind(0);
  for (GLuint n = 0; n < 3; ++n) only_texture(*z[n], s).bind(n + 1);
  target_texture(step.to, s).bind_image(0, GL_WRITE_ONLY);
  if (weighted) {
    only_texture(*step.weights, s).bind(4);
    only_texture(*step.gradient, s).bind(5);
    target_texture(*step.before, s).bind_image(1, GL_READ_WRITE);
  }
  run(program, d, s);
}

}  // namespace backlit::gl
