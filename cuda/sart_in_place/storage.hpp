// The device memory of a volume that SART corrects in place.
#pragma once

#include <vector>

#include <backlit/geometry/volume_grid.hpp>
#include "cuda/device/memory.hpp"
#include "cuda/sart_in_place/kernels.hpp"

namespace backlit::cuda {

/// All zero when made.
class SartStorage {
 public:
  /// Throws Unsupported where textures of the representation cannot be so large.
  SartStorage(Stream&, Representation, const VolumeGrid&);
  ~SartStorage();
  SartStorage(const SartStorage&) = delete;
  SartStorage& operator=(const SartStorage&) = delete;

  const SartVolume& volume() const { return volume_; }
  std::int64_t bytes() const { return bytes_; }
  /// texture3d and array2d: brings the textures up to the linear volume.
  void copy_to_textures(Stream&) const;
  /// The voxels without gaps, x fastest, into device memory.
  void copy_to(Stream&, float* target) const;

 private:
  void make_linear(Stream&);
  void make_arrays(Stream&);
  void make_pitch_textures();
  void add_array(Stream&, int slices);

  Representation representation_;
  SartVolume volume_{};
  DeviceBuffer<float> linear_;
  std::vector<cudaArray_t> arrays_;
  std::vector<int> array_slices_;
  std::vector<cudaTextureObject_t> textures_;
  std::int64_t bytes_ = 0;
};

/// A texture on rows of floats in linear memory: filtered, zero outside.
cudaTextureObject_t make_pitch_texture(const float* data, int columns, int rows, int stride);

}  // namespace backlit::cuda
