// Lines of response on the device, sorted by the tiles of the image that they cross. So a block of threads can hold a
// tile in shared memory and take one line after another through it.
#pragma once

#include <cstdint>
#include <vector>

#include <backlit/projectors/lines_of_response/tof.hpp>
#include <backlit/projectors/lines_of_response/tube.hpp>
#include "cuda/device/launch.hpp"
#include "cuda/lines_of_response/variant.hpp"
#include "cuda/lines_of_response/visits.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {

/// Conditions for making a plan.
struct LinePlanOptions {
  int shared_floats = 0;  ///< floats in a block's shared memory for a tile
  LineOrder order = LineOrder::length;
  int blocks_per_sm = 2;
  std::int64_t items_per_slot = 3;  ///< pieces of work per block that runs at a time, about
};

class LinePlan {
 public:
  /// Takes over `records`.
  LinePlan(Stream&, const LorGrid&, PoolBuffer<LineRecord> records, const std::vector<TubeTable>& tubes,
           const TofTable& tof, const LinePlanOptions&);

  std::int64_t lines() const { return records_.count(); }
  std::int64_t visits() const { return visits_; }
  const Tiling& tiling(int axis) const { return tilings_.axis[axis]; }
  const LineRecord* records() const { return records_.data(); }
  const std::uint32_t* visit_lines() const { return visit_lines_.data(); }
  const std::uint16_t* visit_slices() const { return visit_slices_.data(); }
  const WorkItem* items() const { return items_.data(); }
  std::int64_t item_count() const { return items_.count(); }
  int shared_floats() const { return shared_floats_; }  ///< for the largest tile with its margins

 private:
  void make_items(Stream&, const std::vector<std::int64_t>& bins, int kernels, const LinePlanOptions&);

  Tilings tilings_;
  PoolBuffer<LineRecord> records_;
  PoolBuffer<std::uint32_t> visit_lines_;
  PoolBuffer<std::uint16_t> visit_slices_;  ///< first slice in the tile + 256 times the number of slices
  PoolBuffer<WorkItem> items_;
  std::int64_t visits_ = 0;
  int shared_floats_ = 0;
};

/// `points`: x, y, z in mm; lines go from points[first[i]] to points[second[i]]. `tof_mm` and `kernel` may be null.
PoolBuffer<LineRecord> make_records(Stream&, const LorGrid&, const float3* points, const std::uint32_t* first,
                                    const std::uint32_t* second, const float* tof_mm, const std::uint8_t* kernel,
                                    std::int64_t count);

}  // namespace backlit::cuda
