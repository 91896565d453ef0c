// A compute shader over arrays of the gl backend. A program's own projector needs nothing else of OpenGL.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/types.hpp>

namespace backlit::gl {

/// Arrays of this backend are 2-D array textures with one 32-bit float a texel: x is n0, y is n1, the layer is n2. A
/// pass belongs to the thread of its backend; the backend must outlive the pass.
class ComputePass {
 public:
  /// Compiles a .comp file that begins with `#version 450`. `#include "NAME"` finds files beside it and the engine's
  /// shaders. Throws Failure with file and line of the compiler's first error, Unsupported where `backend` is not the
  /// gl backend itself (Backend::innermost()).
  ComputePass(Backend& backend, const std::filesystem::path& file);
  ~ComputePass();
  ComputePass(ComputePass&&) noexcept;
  ComputePass& operator=(ComputePass&&) noexcept;

  // Sets a uniform by name. Uniforms that the compiler removed as unused are ignored.
  void set(const char* uniform, int value);
  void set(const char* uniform, float value);
  void set(const char* uniform, const Vec3& value);

  /// Binds the array that `layout(binding = unit) uniform sampler2DArray` reads. Throws Unsupported for arrays with
  /// more layers than a texture may have.
  void read(int unit, const DeviceArray&);
  /// Binds the array that `layout(binding = unit, r32f) uniform image2DArray` reads and writes. Throws as read() does.
  void write(int unit, DeviceArray&);

  /// Runs at least nx x ny x nz invocations, in whole work groups. The shader must ignore invocations beyond its
  /// images.
  void run(std::int64_t nx, std::int64_t ny, std::int64_t nz);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backlit::gl
