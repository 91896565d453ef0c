// Lines of response on the device, sorted by the tiles of the image that they cross, so that a block of threads holds a
// tile in shared memory and takes one line after another through it.
#pragma once

#include <cstdint>
#include <vector>

#include "launch.hpp"
#include "listmode/pool_buffer.hpp"
#include "listmode/variant.hpp"
#include "projector/lor.hpp"
#include "projector/tof.hpp"
#include "projector/tube.hpp"

namespace backlit::cuda {

/// A Lor<float> in 32 bytes, one transaction.
struct alignas(32) LineRecord {
  float a, da, b, db, start, end, tof;
  std::uint32_t axis_and_kernel;  ///< axis + 4 kernel
};

/// The image as tiles of slices perpendicular to one axis: extents along that axis, a and b.
struct Tiling {
  int size[3];             ///< voxels of the image
  int tile[3];             ///< voxels of a tile
  int tiles[3];            ///< how many
  int first;               ///< number of the first tile among those of all axes
  float spacing[3];        ///< mm
  std::int64_t stride[3];  ///< in the image's memory
};

/// What lines are: a tube by table (or a Gaussian without one), or a thin line.
struct TubeTable {
  float radius = 0;         ///< mm; 0: thin lines (joseph.hpp)
  float entry_per_mm2 = 0;  ///< of the table
  float gauss_per_mm2 = 0;  ///< f = peak 2^(-gauss_per_mm2 r^2) when positive, and there is no table
  float peak = 0;
};

/// Visits [begin, end) of a tile by lines of one kernel and one number of taps: the work of a block.
struct WorkItem {
  int tile, axis, kernel, taps;
  std::int64_t begin, end;
};

#define BACKLIT_TAP_CLASSES \
  { 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48 }
inline constexpr int tap_classes[] = BACKLIT_TAP_CLASSES;
inline constexpr int tap_class_count = sizeof(tap_classes) / sizeof(int);
/// Tiles have margins for so many; wider tubes' loops end at the tile.
inline constexpr int most_margin_taps = 12;
BACKLIT_HD constexpr int margin_of(int taps) { return taps <= most_margin_taps ? taps - 1 : 0; }

struct TofTable {
  static constexpr int entries = 512;
  float entry_per_mm = 0;  ///< 0: no time of flight
  float reach_mm = -1;
};

/// What a plan is made for.
struct LinePlanOptions {
  int shared_floats = 0;  ///< of a block, for a tile
  LineOrder order = LineOrder::length;
  int blocks_per_sm = 2;
  std::int64_t items_per_slot = 3;  ///< pieces of work for each block that runs at a time, about
};

class LinePlan {
 public:
  /// `records` become the plan's.
  LinePlan(Stream&, const LorGrid&, PoolBuffer<LineRecord> records, const std::vector<TubeTable>& tubes,
           const TofTable& tof, const LinePlanOptions&);

  std::int64_t lines() const { return records_.count(); }
  std::int64_t visits() const { return visits_; }
  const Tiling& tiling(int axis) const { return tiling_[axis]; }
  const LineRecord* records() const { return records_.data(); }
  const std::uint32_t* visit_lines() const { return visit_lines_.data(); }
  const std::uint16_t* visit_slices() const { return visit_slices_.data(); }
  const WorkItem* items() const { return items_.data(); }
  std::int64_t item_count() const { return items_.count(); }
  int shared_floats() const { return shared_floats_; }  ///< that the largest tile with its margins takes

 private:
  void choose_tiles(const LorGrid&, const std::vector<TubeTable>&, const LinePlanOptions&);
  void make_items(Stream&, const std::vector<std::int64_t>& bins, int kernels, const LinePlanOptions&);

  Tiling tiling_[3];
  PoolBuffer<LineRecord> records_;
  PoolBuffer<std::uint32_t> visit_lines_;
  PoolBuffer<std::uint16_t> visit_slices_;  ///< first slice of the tile + 256 times their number
  PoolBuffer<WorkItem> items_;
  std::int64_t visits_ = 0;
  int shared_floats_ = 0;
  int widest_ = 0;  ///< class of taps
};

/// `points`: x, y, z in mm; lines go from points[first[i]] to points[second[i]]. `tof_mm` and `kernel` may be null.
PoolBuffer<LineRecord> make_records(Stream&, const LorGrid&, const float3* points, const std::uint32_t* first,
                                    const std::uint32_t* second, const float* tof_mm, const std::uint8_t* kernel,
                                    std::int64_t count);

}  // namespace backlit::cuda
