// The volume that SART corrects in place on the device, in one of several representations, and its two steps.
#pragma once

#include <string>

#include <backlit/geometry/volume_grid.hpp>
#include "cuda/device/launch.hpp"
#include "geometry/view_map.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit::cuda {

/// One view. Corrections lie in memory `stride` floats a row, with a texture on them.
struct SartView {
  RayFrame<float> frame;
  ViewMap<float> map;  ///< from voxel indices
  const float* measured;
  float* corrections;
  cudaTextureObject_t correction_texture;
  int columns, rows, stride;
};

struct SartUpdate {
  float relaxation, floor;  ///< values below floor become it
  bool matched;
  bool backwards;  ///< from the last slice to the first: what the L2 cache still holds comes first
};

/// All zero when made.
class SartDeviceVolume {
 public:
  virtual ~SartDeviceVolume() = default;

  /// corrections = (measured - forward) / lengths; squares[block] += those of (measured - forward).
  virtual void find_corrections(Stream&, const SartView&, float* squares) = 0;
  /// Adds to every voxel.
  virtual void correct(Stream&, const SartView&, const SartUpdate&) = 0;
  /// The voxels without gaps, x fastest, into device memory.
  virtual void copy_to(Stream&, float* target) const = 0;
  virtual std::int64_t bytes() const = 0;
  virtual std::string name() const = 0;             ///< "surface3d"
  virtual std::string notes() const { return {}; }  ///< for reports, after the rest
};

/// Blocks of find_corrections(): how many partial sums of squares it keeps.
int correction_blocks(int columns, int rows);

/// A texture on rows of floats in linear memory: filtered, zero outside.
cudaTextureObject_t make_pitch_texture(const float* data, int columns, int rows, int stride);
/// How textures are read: filtered, zero outside.
cudaTextureDesc filtered_border();

/// Of the device at hand.
int device_attribute(cudaDeviceAttr which);
/// Throws Unsupported, "WHAT end at MOST voxels a side here", unless it fits.
void require_side(bool fits, const char* what, int most);

/// A 3-D array that rays sample and corrections write: no copy. Throws Unsupported where 3-D textures end before.
std::unique_ptr<SartDeviceVolume> make_surface_volume(Stream&, const VolumeGrid&);

}  // namespace backlit::cuda
