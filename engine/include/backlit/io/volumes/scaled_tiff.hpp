// Volumes as 16-bit TIFF, for programs that cannot read floats.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

/// The values of 16-bit counts: 0 is `low`, 65535 is `high`, linear between.
struct CountRange {
  double low = 0, high = 1;
  double step() const { return (high - low) / 65535; }
};

/// Creates a file with one page a slice. Values are rounded to the nearest count and clamped to the range. The first
/// page holds the range and the voxel size as ImageJ writes them (calibration c0 + c1 counts, resolution, spacing).
/// Throws InputError when the range is empty or not finite, or the folder is not writable.
std::unique_ptr<StackWriter> create_scaled_tiff(const std::filesystem::path&, const VolumeGrid&, const CountRange&);

}  // namespace backlit
