#include "backend/gl/slice_stacks.hpp"

#include "backend/gl/dispatch.hpp"

namespace backlit::gl {

SliceStacks::SliceStacks(std::shared_ptr<Context> context, TimingTable& timings, const ArrayShape& n,
                         const std::array<bool, 3>& axes, GLenum format)
    : timings_(timings) {
  const ArrayShape shapes[2] = {{n.n1, n.n2, n.n0}, {n.n0, n.n2, n.n1}};
  const char* labels[2] = {"slices along x", "slices along y"};
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (axes[axis]) copies_[axis].emplace(context, labels[axis], shapes[axis], format);
  if (axes[0] || axes[1])
    program_ = Program("fill stack", {"project/to_stack.comp"}, {{"FORMAT", format == GL_R16F ? "r16f" : "r32f"}});
}

const GlArray& SliceStacks::along(std::size_t axis, const GlArray& volume) {
  if (axis == 2) return volume;
  Copy& copy = *copies_[axis];
  if (copy.stamp != volume.stamp()) fill(axis, volume, copy.slices);
  copy.stamp = volume.stamp();
  return copy.slices;
}

void SliceStacks::fill(std::size_t axis, const GlArray& volume, GlArray& slices) {
  const Pass pass(timings_, "fill stack");
  program_.set("axis", static_cast<int>(axis));
  program_.use();
  int first_slice = 0;
  for (const Texture& target : slices.textures()) {
    target.bind_image(0, GL_WRITE_ONLY);
    program_.set("first_slice", first_slice);
    first_slice += static_cast<int>(target.depth());
    int first_z = 0;
    for (const Texture& source : volume.textures()) {
      source.bind(0);
      program_.set("first_z", first_z);
      first_z += static_cast<int>(source.depth());
      glDispatchCompute(groups(target.width(), 8), static_cast<GLuint>(source.depth()), groups(target.depth(), 8));
    }
  }
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
