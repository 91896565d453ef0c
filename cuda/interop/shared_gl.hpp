// OpenGL's textures and buffers as CUDA sees them: OpenGL owns, CUDA maps. Context and device must be the same GPU
// (gl::ContextOptions::cuda_device chooses it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "check.hpp"
#include "gl/handles.hpp"
#include "launch.hpp"

namespace backlit::cuda {

/// Registered with CUDA while it lives; must go before what it shares does. Both need the context to be current.
class SharedObject {
 public:
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

 protected:
  SharedObject() = default;
  void map(cudaStream_t);
  void unmap(cudaStream_t);

  cudaGraphicsResource_t resource_ = nullptr;
};

/// A 2-D, 3-D or 2-D array texture of R32F, R16F, RGBA16F or RGBA32F.
class SharedTexture : public SharedObject {
 public:
  /// `target` is the texture's kind. Throws Failure where the driver refuses.
  SharedTexture(const gl::Texture&, GLenum target);

  /// All texels to linear memory (host or device; x fastest, then y, then z or layers), or from it.
  void read(cudaStream_t, void* texels);
  void write(cudaStream_t, const void* texels);

  /// Calls work(cudaArray_t) while CUDA has the texture: OpenGL's work before it is done then, and OpenGL's work after
  /// it waits for what was given to `stream`.
  template <class Work>
  void with_array(cudaStream_t stream, Work&& work) {
    map(stream);
    cudaArray_t array = nullptr;
    const cudaError_t status = cudaGraphicsSubResourceGetMappedArray(&array, resource_, 0, 0);
    if (status == cudaSuccess) work(array);
    unmap(stream);
    check(status, "cudaGraphicsSubResourceGetMappedArray");
  }

 private:
  void copy(cudaStream_t, void* texels, bool out);

  std::size_t texel_, width_, height_, depth_;
};

class SharedBuffer : public SharedObject {
 public:
  explicit SharedBuffer(const gl::Buffer&);

  /// The same with work(std::span<std::byte>), device memory.
  template <class Work>
  void with_memory(cudaStream_t stream, Work&& work) {
    map(stream);
    void* data = nullptr;
    std::size_t bytes = 0;
    const cudaError_t status = cudaGraphicsResourceGetMappedPointer(&data, &bytes, resource_);
    if (status == cudaSuccess) work(std::span(static_cast<std::byte*>(data), bytes));
    unmap(stream);
    check(status, "cudaGraphicsResourceGetMappedPointer");
  }
};

}  // namespace backlit::cuda
