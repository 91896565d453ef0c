#include "projectors/shared/gl/slice_stacks.hpp"

#include <algorithm>

#include "device/gl/dispatch.hpp"
#include "projectors/shared/gl/half_unit.hpp"

namespace backlit::gl {

SliceStacks::SliceStacks(std::shared_ptr<Context> context, TimingTable& timings, const ArrayShape& n,
                         const std::array<bool, 3>& axes, Packing packing, bool half)
    : context_(context), timings_(timings), ops_(timings), volume_(n), half_(half), rows_(packing == Packing::slices) {
  const GLenum one = half ? GL_R16F : GL_R32F, four = half ? GL_RGBA16F : GL_RGBA32F;
  const char* labels[2] = {"slices along x", "slices along y"};
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (axes[axis]) copies_[axis] = make(labels[axis], axis, rows_ ? four : one);
  const auto program = [&](const char* name, bool packed, const char* define) {
    Defines d{{"FORMAT", std::string(packed ? "rgba" : "r") + (half ? "16f" : "32f")}};
    if (packed) d.emplace_back(define, "");
    return Program(name, {"joseph/to_stack.comp"}, d,
                   {half ? "shared/storage/half.glsl" : "shared/storage/float.glsl"});
  };
  if (axes[0] || axes[1]) to_stack_ = program("fill stack", rows_, "ROWS");
  if (packing == Packing::orbit) to_orbit_ = program("fill packed stack", true, "ORBIT");
}

SliceStacks::Copy SliceStacks::make(const char* label, std::size_t axis, GLenum format) const {
  const std::int64_t width = axis == 0 ? volume_.n1 : volume_.n0, height = rows_ ? (volume_.n2 + 3) / 4 : volume_.n2;
  const std::int64_t slices = axis == 0 ? volume_.n0 : volume_.n1, most = context_->limits().array_layers;
  Copy copy;
  for (std::int64_t first = 0; first < slices; first += most)
    copy.slices.emplace_back(label, GL_TEXTURE_2D_ARRAY, format, width, height, std::min(most, slices - first));
  return copy;
}

Stack SliceStacks::along(std::size_t axis, const GlArray& volume) {
  if (axis == 2) return {volume.textures(), 1};
  return refreshed(copies_[axis], axis, volume, to_stack_);
}

Stack SliceStacks::orbit(const GlArray& volume) {
  if (!orbit_) orbit_ = make("slices along x, packed", 0, half_ ? GL_RGBA16F : GL_RGBA32F);
  return refreshed(orbit_, 0, volume, to_orbit_);
}

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
