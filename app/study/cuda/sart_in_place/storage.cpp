#include "study/cuda/sart_in_place/storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

constexpr int layers_per_array = 2048;

}  // namespace

SartStorage::SartStorage(Stream& stream, Representation r, const VolumeGrid& grid) : representation_(r) {
  const std::int64_t longest = std::max({grid.size[0], grid.size[1], grid.size[2]});
  require_side(longest <= 32768, "volumes", 32768);
  volume_.nx = static_cast<int>(grid.size[0]);
  volume_.ny = static_cast<int>(grid.size[1]);
  volume_.nz = static_cast<int>(grid.size[2]);
  make_linear(stream);
  if (r == Representation::pitch2d)
    make_pitch_textures();
  else
    make_arrays(stream);
}

SartStorage::~SartStorage() {
  for (const cudaTextureObject_t texture : textures_) cudaDestroyTextureObject(texture);
  for (std::size_t n = 0; n < arrays_.size(); ++n) {
    cudaDestroySurfaceObject(volume_.surface[n]);
    cudaFreeArray(arrays_[n]);
  }
}

void SartStorage::make_linear(Stream& stream) {
  const bool textured = representation_ == Representation::pitch2d;
  const int alignment = device_attribute(cudaDevAttrTexturePitchAlignment) / static_cast<int>(sizeof(float));
  volume_.pitch = textured ? (volume_.nx + alignment - 1) / alignment * alignment : volume_.nx;
  volume_.slice_rows = volume_.ny + (textured ? 1 : 0);
  volume_.front = textured ? 1 : 0;
  if (textured) {
    // The slices of a texture fill its height; their number is a power of two, so that a shift finds the texture.
    const int most_rows = device_attribute(cudaDevAttrMaxTexture2DLinearHeight);
    require_side(volume_.slice_rows <= most_rows, "slices of 2-D textures on linear memory", most_rows - 1);
    require_side(volume_.nx <= device_attribute(cudaDevAttrMaxTexture2DLinearWidth),
                 "rows of 2-D textures on linear memory", device_attribute(cudaDevAttrMaxTexture2DLinearWidth));
    const auto slices = static_cast<unsigned>(std::min(most_rows / volume_.slice_rows, volume_.nz + 2));
    volume_.log2_slices = std::bit_width(slices) - 1;
    // Each texture must begin at an address that the device allows.
    const std::int64_t begin = device_attribute(cudaDevAttrTextureAlignment) / static_cast<int>(sizeof(float));
    if (((std::int64_t{volume_.pitch} * volume_.slice_rows) << volume_.log2_slices) % begin != 0)
      volume_.pitch = static_cast<int>((volume_.pitch + begin - 1) / begin * begin);
  }
  const std::int64_t slices = volume_.nz + 2 * volume_.front;
  linear_ = DeviceBuffer<float>(slices * volume_.slice_rows * volume_.pitch);
  BACKLIT_CUDA(cudaMemsetAsync(linear_.data(), 0, linear_.bytes(), stream));
  volume_.linear = linear_.data();
  bytes_ += static_cast<std::int64_t>(linear_.bytes());
}

void SartStorage::make_pitch_textures() {
  const int slices = volume_.nz + 2, per_texture = 1 << volume_.log2_slices;
  const int count = (slices + per_texture - 1) / per_texture;
  if (count > SartVolume::most_textures)
    throw Unsupported(
        "volume", fmt::format("{} textures on linear memory hold no volume so large", int{SartVolume::most_textures}),
        "leave the variant out");
  for (int n = 0; n < count; ++n) {
    const int rows = std::min(per_texture, slices - n * per_texture) * volume_.slice_rows;
    const float* data = volume_.linear + std::int64_t{n} * per_texture * volume_.slice_rows * volume_.pitch;
    textures_.push_back(make_pitch_texture(data, volume_.nx, rows, volume_.pitch));
    volume_.texture[n] = textures_.back();
  }
}

void SartStorage::add_array(Stream& stream, int slices) {
  const bool layered = representation_ == Representation::array2d;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(static_cast<std::size_t>(volume_.nx), static_cast<std::size_t>(volume_.ny),
                                            static_cast<std::size_t>(slices));
  const std::size_t n = arrays_.size();
  cudaArray_t array = nullptr;
  BACKLIT_CUDA(cudaMalloc3DArray(&array, &format, extent,
                                 cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : cudaArrayDefault)));
  arrays_.push_back(array);
  array_slices_.push_back(slices);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc sampling = filtered_border();
  BACKLIT_CUDA(cudaCreateSurfaceObject(&volume_.surface[n], &resource));
  BACKLIT_CUDA(cudaCreateTextureObject(&volume_.texture[n], &resource, &sampling, nullptr));
  textures_.push_back(volume_.texture[n]);
  bytes_ += std::int64_t{volume_.nx} * volume_.ny * slices * static_cast<std::int64_t>(sizeof(float));
  clear_surface(stream, representation_, volume_.surface[n], volume_.nx, volume_.ny, slices);
}

void SartStorage::make_arrays(Stream& stream) {
  if (representation_ == Representation::array2d) {
    const int most = device_attribute(cudaDevAttrMaxTexture2DLayeredWidth);
    require_side(volume_.nx <= most && volume_.ny <= most, "slices of layered textures", most);
    volume_.log2_slices = std::bit_width(unsigned{layers_per_array}) - 1;
    constexpr int most_arrays = sizeof(volume_.surface) / sizeof(volume_.surface[0]);
    const int layers = volume_.nz + 2;
    require_side(layers <= most_arrays * layers_per_array, "stacks of slices", most_arrays * layers_per_array - 2);
    for (int done = 0; done < layers; done += layers_per_array)
      add_array(stream, std::min(layers_per_array, layers - done));
  } else {
    const int most = device_attribute(cudaDevAttrMaxTexture3DWidth);
    require_side(std::max({volume_.nx, volume_.ny, volume_.nz}) <= most, "3-D textures", most);
    add_array(stream, volume_.nz);
  }
}

void SartStorage::copy_to_textures(Stream& stream) const {
  const auto width = static_cast<std::size_t>(volume_.nx), height = static_cast<std::size_t>(volume_.ny);
  const int before = representation_ == Representation::array2d ? 1 : 0;  // layers of zeros before the first slice
  int slice = -before;  // slice of the volume in the array's first layer
  for (std::size_t n = 0; n < arrays_.size(); ++n) {
    const int from = std::max(slice, 0), to = std::min(slice + array_slices_[n], volume_.nz);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(volume_.linear + std::int64_t{from} * volume_.ny * volume_.nx,
                                      width * sizeof(float), width, height);
    copy.dstArray = arrays_[n];
    copy.dstPos = make_cudaPos(0, 0, static_cast<std::size_t>(from - slice));
    copy.extent = make_cudaExtent(width, height, static_cast<std::size_t>(to - from));
    copy.kind = cudaMemcpyDeviceToDevice;
    if (to > from) BACKLIT_CUDA(cudaMemcpy3DAsync(&copy, stream));
    slice += array_slices_[n];
  }
}

void SartStorage::copy_to(Stream& stream, float* target) const {
  const auto width = static_cast<std::size_t>(volume_.nx), height = static_cast<std::size_t>(volume_.ny);
  cudaMemcpy3DParms copy{};
  const std::int64_t first = std::int64_t{volume_.front} * volume_.slice_rows * volume_.pitch;
  copy.srcPtr = make_cudaPitchedPtr(volume_.linear + first, static_cast<std::size_t>(volume_.pitch) * sizeof(float),
                                    width, static_cast<std::size_t>(volume_.slice_rows));
  copy.extent = make_cudaExtent(width * sizeof(float), height, static_cast<std::size_t>(volume_.nz));
  copy.dstPtr = make_cudaPitchedPtr(target, width * sizeof(float), width, height);
  copy.kind = cudaMemcpyDeviceToDevice;
  BACKLIT_CUDA(cudaMemcpy3DAsync(&copy, stream));
}

}  // namespace backlit::cuda
