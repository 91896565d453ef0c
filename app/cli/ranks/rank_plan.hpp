// What ranks need and how long they would take, by arithmetic.
#pragma once

#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit::cli {

/// GUPS are 1e9 voxels a view a second; the others GB/s. What a user does not give is an H200's measured figure
/// (device, bus) or a guess (disk, link).
struct Rates {
  double device = 982;  ///< backprojection, single precision (docs/benchmarks/backprojection.md)
  double bus = 55;      ///< between host and device (page-locked memory)
  double disk = 2;      ///< of all ranks together
  double link = 10;     ///< of a rank to all others
};

struct PlannedRank {
  IndexRange slices, rows;
  std::int64_t host_bytes = 0, device_bytes = 0;  ///< at a time
  std::int64_t read_bytes = 0;
  std::int64_t exchanged_bytes = 0;  ///< that it sends, an iteration
};

struct RankPlan {
  std::vector<PlannedRank> ranks;
  /// Seconds, one after another: a model, not a measurement.
  double read = 0, compute = 0, bus = 0, exchange = 0, write = 0;
  double total() const { return read + compute + bus + exchange + write; }
};

/// `iterations` 0: filtered backprojection. Samples on the disk take `sample_bytes`, values of a volume 4 in the file;
/// `value_bytes` on the device: 8 on the cpu, else 4. The slowest rank decides.
RankPlan plan_ranks(const VolumeGrid&, const Scan&, int ranks, std::int64_t iterations, std::int64_t sample_bytes,
                    std::int64_t value_bytes, const Rates&);

}  // namespace backlit::cli
