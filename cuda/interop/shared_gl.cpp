#include "cuda/interop/shared_gl.hpp"

#include <cuda_gl_interop.h>

namespace backlit::cuda {
namespace {

std::size_t texel_bytes(GLenum format) {
  switch (format) {
    case GL_R16F:
      return 2;
    case GL_R32F:
      return 4;
    case GL_RGBA16F:
      return 8;
    case GL_RGBA32F:
      return 16;
    default:
      throw Failure("interop", "only R32F, R16F, RGBA16F and RGBA32F are shared with CUDA");
  }
}

}  // namespace

SharedObject::~SharedObject() {
  if (resource_ && cudaGraphicsUnregisterResource(resource_) != cudaSuccess) cudaGetLastError();
}

SharedObject::Mapped::Mapped(SharedObject& object, cudaStream_t stream) : resource_(object.resource_), stream_(stream) {
  BACKLIT_CUDA(cudaGraphicsMapResources(1, &resource_, stream_));
}
SharedObject::Mapped::~Mapped() {
  // An error here must not appear in a later call.
  if (cudaGraphicsUnmapResources(1, &resource_, stream_) != cudaSuccess) cudaGetLastError();
}

SharedTexture::SharedTexture(const gl::Texture& texture, GLenum target)
    : texel_(texel_bytes(texture.format())),
      width_(static_cast<std::size_t>(texture.width())),
      height_(static_cast<std::size_t>(texture.height())),
      depth_(static_cast<std::size_t>(texture.depth())),
      layered_(target == GL_TEXTURE_2D_ARRAY) {
  BACKLIT_CUDA(
      cudaGraphicsGLRegisterImage(&resource_, texture.id(), target, cudaGraphicsRegisterFlagsSurfaceLoadStore));
}

void SharedTexture::read(cudaStream_t stream, void* texels) { copy(stream, texels, true); }
void SharedTexture::write(cudaStream_t stream, const void* texels) { copy(stream, const_cast<void*>(texels), false); }

/// All layers as one array. Index by index, a 2-D array texture gives arrays of one layer (6 times as slow for 512).
cudaArray_t SharedTexture::whole() const {
  cudaArray_t array = nullptr;
  if (!layered_) {
    BACKLIT_CUDA(cudaGraphicsSubResourceGetMappedArray(&array, resource_, 0, 0));
    return array;
  }
  cudaMipmappedArray_t levels = nullptr;
  BACKLIT_CUDA(cudaGraphicsResourceGetMappedMipmappedArray(&levels, resource_));
  BACKLIT_CUDA(cudaGetMipmappedArrayLevel(&array, levels, 0));
  return array;
}

void SharedTexture::copy(cudaStream_t stream, void* texels, bool out) {
  const Mapped mapped(*this, stream);
  cudaMemcpy3DParms part{};
  const cudaPitchedPtr linear = make_cudaPitchedPtr(texels, width_ * texel_, width_, height_);
  part.extent = make_cudaExtent(width_, height_, depth_);
  part.kind = cudaMemcpyDefault;
  if (out) {
    part.srcArray = whole();
    part.dstPtr = linear;
  } else {
    part.srcPtr = linear;
    part.dstArray = whole();
  }
  BACKLIT_CUDA(cudaMemcpy3DAsync(&part, stream));
}

SharedBuffer::SharedBuffer(const gl::Buffer& buffer) {
  BACKLIT_CUDA(cudaGraphicsGLRegisterBuffer(&resource_, buffer.id(), cudaGraphicsRegisterFlagsNone));
}

}  // namespace backlit::cuda
