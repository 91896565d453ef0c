// OpenGL's textures and buffers in CUDA: OpenGL owns them, CUDA maps them. Context and device must be the same GPU
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

/// Registered with CUDA while it lives. Destroy it before the object that it shares. Both need the context to be
/// current.
class SharedObject {
 public:
  virtual ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

 protected:
  SharedObject() = default;
  /// Mapped for CUDA while it lives. An error meanwhile must not leave the object mapped: OpenGL could no longer use
  /// it.
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
  /// `target` is the kind of the texture. Throws Failure where the driver refuses.
  SharedTexture(const gl::Texture&, GLenum target);

  /// Copies all texels to linear memory (host or device; x fastest, then y, then z or layers), or from it. OpenGL's
  /// earlier work is done before the copy; OpenGL's later work waits for the copy.
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

  /// Calls work(std::span<std::byte>) with the buffer's device memory, while CUDA has the buffer.
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
