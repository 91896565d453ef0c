// The volume that SART corrects in place on the device, in one of several representations, and its two steps.
#pragma once

#include <memory>
#include <string>

#include <backlit/geometry/volume_grid.hpp>
#include "cuda/device/launch.hpp"
#include "geometry/view_map.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit::cuda {

/// One view. `stride` is the number of floats per row of the corrections in memory; a texture reads them.
struct SartView {
  RayFrame<float> frame;
  ViewMap<float> map;  ///< from voxel indices
  const float* measured;
  float* corrections;
  cudaTextureObject_t correction_texture;
  int columns, rows, stride;
};

struct SartUpdate {
  float relaxation, floor;  ///< smaller values become `floor`
  bool matched;
  bool backwards;  ///< from the last slice to the first, so that the slices in the L2 cache come first
};

/// Zero at the start.
class SartDeviceVolume {
 public:
  virtual ~SartDeviceVolume() = default;

  /// corrections = (measured - forward) / lengths; squares[block] += the sum of (measured - forward)^2.
  virtual void find_corrections(Stream&, const SartView&, float* squares) = 0;
  /// Adds the corrections to every voxel.
  virtual void correct(Stream&, const SartView&, const SartUpdate&) = 0;
  /// Copies the voxels without gaps, x fastest, into device memory.
  virtual void copy_to(Stream&, float* target) const = 0;
  virtual std::int64_t bytes() const = 0;
  virtual std::string name() const = 0;             ///< "surface3d"
  virtual std::string notes() const { return {}; }  ///< for reports, after the rest
};

/// Number of blocks of find_corrections(), each with a partial sum of squares.
int correction_blocks(int columns, int rows);

/// A texture on rows of floats in linear memory: filtered, zero outside.
cudaTextureObject_t make_pitch_texture(const float* data, int columns, int rows, int stride);
/// Texture settings: filtered, zero outside.
cudaTextureDesc filtered_border();

/// An attribute of the current device.
int device_attribute(cudaDeviceAttr which);
/// Throws Unsupported, "WHAT end at MOST voxels a side here", unless `fits`.
void require_side(bool fits, const char* what, int most);

/// A 3-D array that rays sample and corrections write, without a copy. Throws Unsupported where the volume exceeds the
/// device's 3-D textures.
std::unique_ptr<SartDeviceVolume> make_surface_volume(Stream&, const VolumeGrid&);

}  // namespace backlit::cuda
