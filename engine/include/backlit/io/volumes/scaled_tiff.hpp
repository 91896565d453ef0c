// Volumes as 16-bit TIFF, for programs that take no floats.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit {

/// How 16-bit counts become values: 0 is `low`, 65535 is `high`, linear between.
struct CountRange {
  double low = 0, high = 1;
  double step() const { return (high - low) / 65535; }
};

/// A page a slice, values rounded to the nearest count; those outside the range are cut off. The first page says how
/// counts become values and how large voxels are, as ImageJ does (calibration c0 + c1 counts, resolution, spacing).
/// Throws InputError when the range is empty or not finite, or the place cannot be written to.
std::unique_ptr<StackWriter> create_scaled_tiff(const std::filesystem::path&, const VolumeGrid&, const CountRange&);

}  // namespace backlit
