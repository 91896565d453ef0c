#include "backend/gl/slice_stacks.hpp"

#include <algorithm>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/half_unit.hpp"

namespace backlit::gl {

SliceStacks::SliceStacks(std::shared_ptr<Context> context, TimingTable& timings, const ArrayShape& n,
                         const std::array<bool, 3>& axes, Packing packing, bool half)
    : context_(context), timings_(timings), ops_(timings), half_(half), rows_(packing == Packing::slices) {
  const bool orbit = packing == Packing::orbit;
  const std::int64_t height = rows_ ? (n.n2 + 3) / 4 : n.n2;
  const ArrayShape shapes[2] = {{n.n1, height, n.n0}, {n.n0, height, n.n1}};
  const GLenum one = half ? GL_R16F : GL_R32F, four = half ? GL_RGBA16F : GL_RGBA32F;
  const char* labels[2] = {"slices along x", "slices along y"};
  const std::int64_t most = context->limits().array_layers;
  const auto make = [&](const char* label, const ArrayShape& shape, GLenum format) {
    Copy copy;
    for (std::int64_t first = 0; first < shape.n2; first += most)
      copy.slices.emplace_back(label, GL_TEXTURE_2D_ARRAY, format, shape.n0, shape.n1,
                               std::min(most, shape.n2 - first));
    return copy;
  };
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (axes[axis]) copies_[axis] = make(labels[axis], shapes[axis], rows_ ? four : one);
  if (orbit) orbit_ = make("slices along x, packed", shapes[0], four);
  const auto program = [&](const char* name, bool packed, const char* define) {
    Defines d{{"FORMAT", std::string(packed ? "rgba" : "r") + (half ? "16f" : "32f")}};
    if (half) d.emplace_back("HALF", "");
    if (packed) d.emplace_back(define, "");
    return Program(name, {"project/to_stack.comp"}, d);
  };
  if (axes[0] || axes[1]) to_stack_ = program("fill stack", rows_, "ROWS");
  if (orbit) to_orbit_ = program("fill packed stack", true, "ORBIT");
}

Stack SliceStacks::along(std::size_t axis, const GlArray& volume) {
  if (axis == 2) return {volume.textures(), 1};
  return refreshed(copies_[axis], axis, volume, to_stack_);
}

Stack SliceStacks::orbit(const GlArray& volume) { return refreshed(orbit_, 0, volume, to_orbit_); }

Stack SliceStacks::refreshed(std::optional<Copy>& copy, std::size_t axis, const GlArray& volume, Program& program) {
  if (copy->stamp != volume.stamp()) fill(*copy, axis, volume, program);
  copy->stamp = volume.stamp();
  return {copy->slices, copy->unit};
}

void SliceStacks::fill(Copy& copy, std::size_t axis, const GlArray& volume, Program& program) {
  if (half_) copy.unit = half_unit(ops_, volume);
  const Pass pass(timings_, "fill stack");
  program.set("axis", static_cast<int>(axis));
  program.set("per_unit", 1 / copy.unit);
  program.use();
  glBindSampler(0, 0);
  int first_slice = 0;
  for (const Texture& target : copy.slices) {
    target.bind_image(0, GL_WRITE_ONLY);
    program.set("first_slice", first_slice);
    first_slice += static_cast<int>(target.depth());
    int first_z = 0;
    for (const Texture& source : volume.textures()) {
      source.bind(0);
      program.set("first_z", first_z);
      first_z += static_cast<int>(source.depth());
      const std::int64_t rows = rows_ ? target.height() : source.depth();
      const auto row = static_cast<double>(target.width() * target.depth());
      context_->in_pieces(rows, row, [&](std::int64_t first, std::int64_t count) {
        program.set("first_row", static_cast<int>(first));
        glDispatchCompute(groups(target.width(), 32), static_cast<GLuint>(count), groups(target.depth(), 32));
      });
    }
  }
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
