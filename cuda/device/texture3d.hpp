// A volume as CUDA's 3-D texture.
#pragma once

#include <backlit/geometry/volume_grid.hpp>
#include "cuda/device/check.hpp"

namespace backlit::cuda {

/// A 3-D array with a trilinear texture on it, zero outside.
class Texture3d {
 public:
  Texture3d(const Size3& size, bool half) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(half ? 16 : 32, 0, 0, 0, cudaChannelFormatKindFloat);
    BACKLIT_CUDA(cudaMalloc3DArray(&array_, &format,
                                   make_cudaExtent(static_cast<std::size_t>(size[0]), static_cast<std::size_t>(size[1]),
                                                   static_cast<std::size_t>(size[2])),
                                   cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc sampling{};
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeBorder;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeElementType;
    BACKLIT_CUDA(cudaCreateTextureObject(&texture_, &resource, &sampling, nullptr));
    BACKLIT_CUDA(cudaCreateSurfaceObject(&surface_, &resource));
  }
  ~Texture3d() {
    cudaDestroyTextureObject(texture_);
    cudaDestroySurfaceObject(surface_);
    cudaFreeArray(array_);
  }
  Texture3d(const Texture3d&) = delete;
  Texture3d& operator=(const Texture3d&) = delete;

  cudaTextureObject_t texture() const { return texture_; }
  cudaSurfaceObject_t surface() const { return surface_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
  cudaSurfaceObject_t surface_ = 0;
};

}  // namespace backlit::cuda
