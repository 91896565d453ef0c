#include "cuda/sart_in_place/device_volume.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit::cuda {

int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

cudaTextureDesc filtered_border() {
  cudaTextureDesc sampling{};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeBorder;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  return sampling;
}

void require_side(bool fits, const char* what, int most) {
  if (!fits)
    throw Unsupported("volume", fmt::format("{} end at {} voxels a side here", what, most), "use a smaller `grid`");
}

cudaTextureObject_t make_pitch_texture(const float* data, int columns, int rows, int stride) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<float*>(data);
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = static_cast<std::size_t>(columns);
  resource.res.pitch2D.height = static_cast<std::size_t>(rows);
  resource.res.pitch2D.pitchInBytes = static_cast<std::size_t>(stride) * sizeof(float);
  const cudaTextureDesc sampling = filtered_border();
  cudaTextureObject_t texture = 0;
  BACKLIT_CUDA(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

}  // namespace backlit::cuda
