// Division of a volume and a scan so that an operator fits a device: slabs along z, and batches of views.
#pragma once

#include <optional>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit {

struct Cut {
  std::int64_t slices = 0;  ///< slices of a slab; the last slab may have fewer
  std::int64_t views = 0;   ///< views at a time
  bool whole = false;       ///< nothing is cut: all of a method's arrays fit the device
};

/// Slices [first, first + count) of a grid as a grid of their own.
VolumeGrid slab_of(const VolumeGrid&, std::int64_t first, std::int64_t count);

/// Whether the grid's slices must stay together. In distance-driven models a single detector row covers the full height
/// of a grid of one slice (projectors/distance_driven/make_distance_driven.hpp), but not of thicker grids.
bool keeps_slices_together(const VolumeGrid&, const Scan&, const CtOptions&);

/// Default number of views at a time: those that fit in a sixteenth of `memory` (0: all), at least one.
std::int64_t views_at_a_time(const Scan&, std::int64_t memory);

/// Throws Unsupported, with the size that fits, when a slice is larger than a texture of the device.
void require_slices(const Backend&, const VolumeGrid&);

/// The thickest slabs that fit the device and half of `memory` (0: no limit). `views` > 0 fixes the views at a time.
/// Throws as require_slices() does. Throws InputError("gpu_memory"), with the size that fits, when one slice, or a
/// volume that keeps its slices together, does not fit.
Cut find_cut(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t memory,
             std::int64_t views = 0);

/// The size of the largest grid for the region that `fits`, with voxels larger by one factor along x and y, and also z
/// if `along_z`. Nothing when no grid fits.
template <class Fits>
std::optional<Size3> largest_size(const VolumeGrid& grid, bool along_z, Fits&& fits) {
  double low = 0, high = 1;
  std::optional<Size3> best;
  for (int step = 0; step < 24; ++step) {
    const double share = 0.5 * (low + high);
    VolumeGrid smaller = grid;
    for (int a = 0; a < (along_z ? 3 : 2); ++a) {
      const auto n = static_cast<double>(grid.size[static_cast<std::size_t>(a)]);
      const double fewer = n * share < 1 ? 1 : n * share;
      smaller.size[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(fewer);
      smaller.spacing[a] *= n / static_cast<double>(smaller.size[static_cast<std::size_t>(a)]);
    }
    const bool fit = fits(smaller);
    if (fit) best = smaller.size;
    (fit ? low : high) = share;
  }
  return best;
}

}  // namespace backlit
