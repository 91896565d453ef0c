// A compute shader over arrays of the gl backend: all that a projector of a program's own needs of OpenGL.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit::gl {

/// Arrays of this backend are 2-D array textures of one 32-bit float a texel: x is n0, y is n1, the layer n2. Belongs
/// to the thread of its backend, which must outlive it.
class ComputePass {
 public:
  /// Compiles a .comp file that begins with `#version 450`. `#include "NAME"` finds files beside it and the engine's
  /// own (shaders/). Throws Failure with file and line of the compiler's first complaint, Unsupported where `backend`
  /// is not the gl backend's own (Backend::innermost()).
  ComputePass(Backend& backend, const std::filesystem::path& file);
  ~ComputePass();
  ComputePass(ComputePass&&) noexcept;
  ComputePass& operator=(ComputePass&&) noexcept;

  // Uniforms by name; one that the compiler found unused is ignored.
  void set(const char* uniform, int value);
  void set(const char* uniform, float value);
  void set(const char* uniform, const Vec3& value);

  /// The array that `layout(binding = unit) uniform sampler2DArray` reads. Throws Unsupported for arrays of more layers
  /// than a texture may have.
  void read(int unit, const DeviceArray&);
  /// The array that `layout(binding = unit, r32f) uniform image2DArray` reads and writes; same conditions.
  void write(int unit, DeviceArray&);

  /// At least nx x ny x nz invocations, in whole work groups: the shader must leave out those beyond its images.
  void run(std::int64_t nx, std::int64_t ny, std::int64_t nz);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backlit::gl
