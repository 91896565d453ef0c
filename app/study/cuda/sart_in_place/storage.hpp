// The device memory of a volume that SART corrects in place.
#pragma once

#include <vector>

#include <backlit/geometry/volume_grid.hpp>
#include "cuda/device/memory.hpp"
#include "cuda/sart_in_place/device_volume.hpp"

namespace backlit::cuda {

/// The representations of Keck et al. (IEEE NSS/MIC 2009).
enum class Representation {
  texture3d,  ///< a linear volume for corrections, and a 3-D texture copied from it that rays sample
  array2d,    ///< like texture3d, with layered 2-D textures, one slice in a layer; interpolation between slices in
              ///< software
  pitch2d     ///< 2-D textures on the linear volume itself: no copy; interpolation between slices in software
};

/// Layout of the voxels. Voxel (i, j, k) of the linear volume is at ((k + front) * slice_rows + j) * pitch + i.
struct SartVolume {
  static constexpr int most_textures = 256;
  int nx, ny, nz;
  float* linear;
  int pitch, slice_rows;  ///< pitch2d: a row of zeros follows each slice
  int front;              ///< slices of zeros before the first and after the last slice, for interpolation at the ends
  int log2_slices;        ///< log2 of the slices in a texture, for textures that hold several
  cudaTextureObject_t texture[most_textures];
  cudaSurfaceObject_t surface[8];
};

/// Zeroes the slices of a surface that are never written again.
void clear_surface(Stream&, Representation, cudaSurfaceObject_t, int nx, int ny, int slices);

/// All values are zero after construction.
class SartStorage {
 public:
  /// Throws Unsupported if textures of the representation cannot have this size.
  SartStorage(Stream&, Representation, const VolumeGrid&);
  ~SartStorage();
  SartStorage(const SartStorage&) = delete;
  SartStorage& operator=(const SartStorage&) = delete;

  const SartVolume& volume() const { return volume_; }
  std::int64_t bytes() const { return bytes_; }
  /// texture3d and array2d: copies the linear volume to the textures.
  void copy_to_textures(Stream&) const;
  /// Copies the voxels without gaps, x fastest, to device memory.
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

}  // namespace backlit::cuda
