#include <algorithm>

#include "cuda/device/device_speed.hpp"
#include "cuda/device/layered_store.cuh"
#include "cuda/device/layered_textures.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/device/vector_ops.hpp"

namespace backlit::cuda {
namespace {

/// fp16 keeps its 11 bits between 6e-5 and 65504: with the largest magnitude at 2^14, they last for 28 octaves.
constexpr float largest_stored = 16384.0f;

__global__ void largest_magnitude(const float* values, std::int64_t n, unsigned* bits) {
  float largest = 0;
#pragma unroll 4
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    largest = fmaxf(largest, fabsf(values[i]));
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  // Magnitudes are not negative, so their bit patterns compare like the numbers.
  if (threadIdx.x % 32 == 0) atomicMax(bits, __float_as_uint(largest));
}

/// A power of two: scaling is then exact.
__host__ __device__ float unit_for(float largest) {
  return largest > 0 && largest <= 3e38f ? exp2f(ceilf(log2f(largest / largest_stored))) : 1.0f;
}

__global__ void units_from(const unsigned* bits, float factor, float* units, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) units[i] = unit_for(factor * __uint_as_float(*bits));
}

struct Extent {
  int columns, rows, first_layer;
};

template <Texel T>
__global__ void pack(LinearImages source, cudaSurfaceObject_t target, Extent e, const float* unit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int layer = blockIdx.z;
  if (x >= e.columns || y >= e.rows) return;
  const float per_unit = 1.0f / unit[layer];
  const auto value = [&](int image) {
    const std::int64_t at = source.order ? source.order[image] : image;
    return source.data[at * source.image_stride + y * source.row_stride + x];
  };
  if constexpr (T == Texel::r32f || T == Texel::r16f) {
    store<T>(target, value(layer), per_unit, x, y, e.first_layer + layer);
  } else {
    const float4 v = {value(4 * layer), value(4 * layer + 1), value(4 * layer + 2), value(4 * layer + 3)};
    store<T>(target, v, per_unit, x, y, e.first_layer + layer);
  }
}

cudaChannelFormatDesc channel_format(Texel t) {
  const int bits = is_half(t) ? 16 : 32;
  return channels(t) == 1 ? cudaCreateChannelDesc(bits, 0, 0, 0, cudaChannelFormatKindFloat)
                          : cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKindFloat);
}

}  // namespace

LayeredTextures::LayeredTextures(std::int64_t columns, std::int64_t rows, std::int64_t layers, Texel texel)
    : columns_(columns), rows_(rows), layers_(layers), texel_(texel), unit_(layers), largest_(1) {
  for (std::int64_t first = 0; first < layers; first += layers_per_array)
    add_array(std::min(layers_per_array, layers - first));
  const std::vector<float> ones(static_cast<std::size_t>(layers), 1.0f);
  upload(unit_.data(), ones.data(), unit_.bytes());
}

LayeredTextures::~LayeredTextures() {
  for (Array& a : arrays_) {
    cudaDestroyTextureObject(a.texture);
    cudaDestroySurfaceObject(a.surface);
    cudaFreeArray(a.array);
  }
}

void LayeredTextures::add_array(std::int64_t layers) {
  Array& a = arrays_.emplace_back();
  const cudaChannelFormatDesc format = channel_format(texel_);
  const cudaExtent extent = make_cudaExtent(static_cast<std::size_t>(columns_), static_cast<std::size_t>(rows_),
                                            static_cast<std::size_t>(layers));
  BACKLIT_CUDA(cudaMalloc3DArray(&a.array, &format, extent, cudaArrayLayered | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a.array;
  cudaTextureDesc sampling{};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeBorder;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  BACKLIT_CUDA(cudaCreateTextureObject(&a.texture, &resource, &sampling, nullptr));
  BACKLIT_CUDA(cudaCreateSurfaceObject(&a.surface, &resource));
}

std::size_t LayeredTextures::bytes() const {
  return static_cast<std::size_t>(columns_ * rows_ * layers_ * channels(texel_)) * (is_half(texel_) ? 2 : 4);
}

void LayeredTextures::choose_unit(Stream& stream, const float* values, std::int64_t count) {
  choose_unit(stream, values, count, 1, {0, layers_});
}

void LayeredTextures::choose_unit(Stream& stream, const float* values, std::int64_t count, float factor,
                                  const Layers& part) {
  if (!is_half(texel_)) return;
  BACKLIT_CUDA(cudaMemsetAsync(largest_.data(), 0, largest_.bytes(), stream));
  stream.launch("largest magnitude", dim3(8u * static_cast<unsigned>(multiprocessors())), dim3(256), 0,
                largest_magnitude, values, count, largest_.data());
  stream.launch("choose unit", dim3(1), dim3(256), 0, units_from, static_cast<const unsigned*>(largest_.data()), factor,
                unit_.data() + part.first, static_cast<int>(part.count));
}

void LayeredTextures::set_unit(Stream& stream, float largest, const Layers& part) {
  if (is_half(texel_)) cuda::fill(stream, unit_.data() + part.first, part.count, unit_for(largest));
}

void LayeredTextures::fill_views(Stream& stream, const float* source, std::int64_t source_values, const int* order,
                                 std::int64_t filled) {
  choose_unit(stream, source, source_values);
  fill(stream, {source, columns_, columns_ * rows_, order}, 0, filled);
}

void LayeredTextures::fill(Stream& stream, const LinearImages& source, std::int64_t first, std::int64_t count) {
  const dim3 block(64, 4);
  const std::int64_t end = first + count;
  for (LinearImages part = source; first < end;) {
    const std::int64_t array = first / layers_per_array;
    const std::int64_t layers = std::min(end, (array + 1) * layers_per_array) - first;
    const dim3 grid(blocks(columns_, block.x), blocks(rows_, block.y), static_cast<unsigned>(layers));
    const Extent extent{static_cast<int>(columns_), static_cast<int>(rows_),
                        static_cast<int>(first - array * layers_per_array)};
    const float* unit = unit_.data() + first;
    const auto run = [&](auto kernel) {
      stream.launch("pack views", grid, block, 0, kernel, part, surface(array), extent, unit);
    };
    switch (texel_) {
      case Texel::r32f:
        run(pack<Texel::r32f>);
        break;
      case Texel::r16f:
        run(pack<Texel::r16f>);
        break;
      case Texel::rgba32f:
        run(pack<Texel::rgba32f>);
        break;
      case Texel::rgba16f:
        run(pack<Texel::rgba16f>);
        break;
    }
    const std::int64_t images = layers * channels(texel_);
    if (part.order)
      part.order += images;
    else
      part.data += images * part.image_stride;
    first += layers;
  }
}

}  // namespace backlit::cuda
