#include "interop/shared_gl.hpp"

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
  // An error here belongs to no later call.
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

cudaArray_t SharedTexture::array(unsigned layer) const {
  cudaArray_t array = nullptr;
  BACKLIT_CUDA(cudaGraphicsSubResourceGetMappedArray(&array, resource_, layer, 0));
  return array;
}

/// A 2-D array is handed over layer by layer, each a 2-D array of its own; a 3-D texture as a whole.
void SharedTexture::copy(cudaStream_t stream, void* texels, bool out) {
  const Mapped mapped(*this, stream);
  const std::size_t pieces = layered_ ? depth_ : 1, deep = depth_ / pieces;
  for (std::size_t n = 0; n < pieces; ++n) {
    const cudaArray_t piece = array(static_cast<unsigned>(n));
    const cudaPitchedPtr linear = make_cudaPitchedPtr(static_cast<std::byte*>(texels) + n * width_ * height_ * texel_,
                                                      width_ * texel_, width_, height_);
    cudaMemcpy3DParms part{};
    part.extent = make_cudaExtent(width_, height_, deep);
    part.kind = cudaMemcpyDefault;
    if (out) {
      part.srcArray = piece;
      part.dstPtr = linear;
    } else {
      part.srcPtr = linear;
      part.dstArray = piece;
    }
    BACKLIT_CUDA(cudaMemcpy3DAsync(&part, stream));
  }
}

SharedBuffer::SharedBuffer(const gl::Buffer& buffer) {
  BACKLIT_CUDA(cudaGraphicsGLRegisterBuffer(&resource_, buffer.id(), cudaGraphicsRegisterFlagsNone));
}

}  // namespace backlit::cuda
