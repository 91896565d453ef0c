// Writes a volume, slice by slice, as Zarr arrays of ever coarser voxels.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <backlit/geometry/volume_grid.hpp>
#include "io/volumes/zarr/multiscale.hpp"

namespace backlit::zarr {

/// Arrays 0, 1, ... in a folder: each has half the voxels of the one before along every axis, their values being the
/// mean of up to 2x2x2. The last one fits into one chunk. Holds 64 slices of each.
class Pyramid {
 public:
  /// Throws Failure when the folder does not take the metadata.
  Pyramid(const std::filesystem::path& folder, const VolumeGrid&);
  ~Pyramid();

  /// The next slice, rows of x. Throws Failure when the disk does not take it.
  void add(std::span<const float> slice);
  std::vector<Level> levels() const;

 private:
  class ArrayWriter;
  void add(std::size_t level, std::span<const float> slice);

  std::vector<std::unique_ptr<ArrayWriter>> arrays_;
};

}  // namespace backlit::zarr
