// A volume as stacks of slices along x, y and z.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "backend/gl/gl_array.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// Along z that is the volume's array itself. The other stacks are copies, brought up to date when they are asked for
/// and the volume has changed since.
class SliceStacks {
 public:
  /// Makes the stacks of `axes` (x y z). `format` of the copies: GL_R32F or GL_R16F.
  SliceStacks(std::shared_ptr<Context> context, TimingTable& timings, const ArrayShape& volume,
              const std::array<bool, 3>& axes, GLenum format);

  /// A layer's columns and rows are the other two axes in x, y, z order.
  const GlArray& along(std::size_t axis, const GlArray& volume);

 private:
  struct Copy {
    Copy(std::shared_ptr<Context> context, const char* label, const ArrayShape& shape, GLenum format)
        : slices(std::move(context), label, shape, format) {}
    GlArray slices;
    std::uint64_t stamp = 0;  ///< of the volume it was made of
  };
  void fill(std::size_t axis, const GlArray& volume, GlArray& slices);

  TimingTable& timings_;
  Program program_;
  std::array<std::optional<Copy>, 2> copies_;
};

}  // namespace backlit::gl
