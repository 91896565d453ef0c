// OpenGL's textures and buffers as CUDA sees them: OpenGL owns, CUDA maps. Context and device must be the same GPU
// (gl::ContextOptions::cuda_device chooses it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cuda/device/check.hpp"
#include "cuda/device/launch.hpp"
#include "gl/handles.hpp"

namespace backlit::cuda {

/// Registered with CUDA while it lives; must go before what it shares does. Both need the context to be current.
class SharedObject {
 public:
  virtual ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

 protected:
  SharedObject() = default;
  /// CUDA's while it lives. What fails meanwhile must not leave it mapped: OpenGL could not use it any more.
  class Mapped {
   public:
    Mapped(SharedObject&, cudaStream_t);
    ~Mapped();
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;

   private:
    cudaGraphicsResource_t resource_;
    cudaStream_t stream_;
  };

  cudaGraphicsResource_t resource_ = nullptr;
};

/// A 2-D, 3-D or 2-D array texture of R32F, R16F, RGBA16F or RGBA32F.
class SharedTexture : public SharedObject {
 public:
  /// `target` is the texture's kind. Throws Failure where the driver refuses.
  SharedTexture(const gl::Texture&, GLenum target);

  /// All texels to linear memory (host or device; x fastest, then y, then z or layers), or from it. OpenGL's work
  /// before it is done then, and OpenGL's work after it waits for what was given to the stream.
  void read(cudaStream_t, void* texels);
  virtual void write(cudaStream_t, const void* texels);

 private:
  void copy(cudaStream_t, void* texels, bool out);
  cudaArray_t whole() const;

  std::size_t texel_, width_, height_, depth_;
  bool layered_;
};

class SharedBuffer : public SharedObject {
 public:
  explicit SharedBuffer(const gl::Buffer&);

  /// Calls work(std::span<std::byte>), device memory, while CUDA has the buffer.
  template <class Work>
  void with_memory(cudaStream_t stream, Work&& work) {
    const Mapped mapped(*this, stream);
    void* data = nullptr;
    std::size_t bytes = 0;
    BACKLIT_CUDA(cudaGraphicsResourceGetMappedPointer(&data, &bytes, resource_));
    work(std::span(static_cast<std::byte*>(data), bytes));
  }
};

}  // namespace backlit::cuda
