// Views of a scan, or slices of a volume, as layered textures, from which projectors fetch.
#pragma once

#include <vector>

#include "cuda/device/launch.hpp"
#include "cuda/device/memory.hpp"

namespace backlit::cuda {

/// Images in linear memory: rows one after another. Strides in values.
struct LinearImages {
  const float* data;
  std::int64_t row_stride;  ///< from a row to the next
  std::int64_t image_stride;
  /// On the device: channel c of layer l holds image order[l * channels + c]; null: images in their order.
  const int* order;
};

enum class Texel { r32f, r16f, rgba32f, rgba16f };

inline int channels(Texel t) { return t == Texel::r32f || t == Texel::r16f ? 1 : 4; }
inline bool is_half(Texel t) { return t == Texel::r16f || t == Texel::rgba16f; }

/// Layered 2-D arrays with bilinear filtering, zero outside, texel centres at integer + 0.5 (the caller adds the half).
/// A layer holds a view or a slice, or with four channels the four of a quarter-turn orbit. There is an array for every
/// 2048 layers.
class LayeredTextures {
 public:
  LayeredTextures(std::int64_t columns, std::int64_t rows, std::int64_t layers, Texel texel);
  ~LayeredTextures();
  LayeredTextures(const LayeredTextures&) = delete;
  LayeredTextures& operator=(const LayeredTextures&) = delete;

  static constexpr std::int64_t layers_per_array = 2048;

  std::int64_t columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t layers() const { return layers_; }
  Texel texel() const { return texel_; }
  cudaTextureObject_t texture(std::int64_t array) const { return arrays_[static_cast<std::size_t>(array)].texture; }
  cudaSurfaceObject_t surface(std::int64_t array) const { return arrays_[static_cast<std::size_t>(array)].surface; }
  std::size_t bytes() const;

  /// fp16 holds values divided by these units (on the device, one number a layer), so that neither end of its range is
  /// lost. Units are powers of two: scaling is exact.
  const float* unit(std::int64_t first_layer = 0) const { return unit_.data() + first_layer; }
  struct Layers {
    std::int64_t first, count;
  };
  /// Chooses the unit of all layers, or of some, from the largest magnitude of `count` values on the device, times
  /// `factor`; fp32 needs none and keeps 1.
  void choose_unit(Stream&, const float* values, std::int64_t count);
  void choose_unit(Stream&, const float* values, std::int64_t count, float factor, const Layers&);
  /// The same from an upper bound of the magnitudes.
  void set_unit(Stream&, float largest, const Layers&);

  /// Fills layers [first, first + layers) with images, in units chosen before.
  void fill(Stream&, const LinearImages&, std::int64_t first, std::int64_t layers);

  /// Fills the first `layers` layers: layer l, channel c with view order[l * channels + c] of `source` (linear views on
  /// the device, column fastest); `order` is on the device too. Chooses the unit from `source_values` values of the
  /// source.
  void fill_views(Stream&, const float* source, std::int64_t source_values, const int* order, std::int64_t layers);

 private:
  struct Array {
    cudaArray_t array = nullptr;
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
  };
  void add_array(std::int64_t layers);

  std::int64_t columns_, rows_, layers_;
  Texel texel_;
  std::vector<Array> arrays_;
  DeviceBuffer<float> unit_;
  DeviceBuffer<unsigned> largest_;  ///< bits of the last largest magnitude
};

}  // namespace backlit::cuda
