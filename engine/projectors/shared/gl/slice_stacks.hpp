// A volume as stacks of slices along x, y and z, plain or packed: four voxels above each other in a texel, or four
// quarter-turn copies of the volume in the channels of one stack along x.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include <backlit/projectors/ct_options.hpp>
#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// Slices in order, one layer each, in as many textures as needed.
struct Stack {
  const std::vector<Texture>& textures;
  float unit;  ///< value of a stored 1
};

/// The stack along z is the volume's array itself. The other stacks are copies; each is updated when it is asked for
/// and the volume has changed. So a view that needs one stack never waits for another.
class SliceStacks {
 public:
  /// Makes the stacks of `axes` (x y z). With packing orbit, makes also a packed stack at first use (nx = ny <= layers
  /// of a texture). With packing slices, the stacks along x and y have texels of four voxels along z (nz <= layers of a
  /// texture). The copies are GL_R16F and GL_RGBA16F when `half`, else fp32.
  SliceStacks(std::shared_ptr<Context> context, TimingTable& timings, const ArrayShape& volume,
              const std::array<bool, 3>& axes, Packing packing, bool half);

  /// The columns and rows of a layer are the other two axes in x, y, z order.
  Stack along(std::size_t axis, const GlArray& volume);
  /// Whether along() would find its copy up to date.
  bool holds(std::size_t axis, const GlArray& volume) const {
    return axis == 2 || copies_[axis]->stamp == volume.stamp();
  }
  /// Slices along x of four copies of the volume, one in each channel. Channel c is the copy that the view c quarter
  /// turns on sees as the first view sees the volume.
  Stack orbit(const GlArray& volume);

 private:
  struct Copy {
    std::vector<Texture> slices;
    std::uint64_t stamp = 0;  ///< stamp of the volume that the copy was made from
    float unit = 1;
  };
  Copy make(const char* label, std::size_t axis, GLenum format) const;
  Stack refreshed(std::optional<Copy>&, std::size_t axis, const GlArray& volume, Program&);
  void fill(Copy&, std::size_t axis, const GlArray& volume, Program&);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VectorOps ops_;
  ArrayShape volume_;
  bool half_, rows_;
  Program to_stack_, to_orbit_;
  std::array<std::optional<Copy>, 2> copies_;
  std::optional<Copy> orbit_;
};

}  // namespace backlit::gl
