// What ranks need and how long they would take, by arithmetic.
#pragma once

#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit::cli {

/// GUPS are 1e9 voxels a view a second; the others GB/s. What a user does not give is a measured figure (device, bus)
/// or a guess (disk, link).
struct Rates {
  double device = 0;    ///< backprojection, or half of an iteration; 0: as measured
  double filter = 100;  ///< 1e9 pixels a second, on the device
  double bus = 55;      ///< between host and device (page-locked memory)
  double disk = 2;      ///< of all ranks together
  double link = 10;     ///< of a rank to all others
};

struct PlannedWork {
  int ranks = 1;
  std::int64_t iterations = 0;  ///< 0: filtered backprojection
  Precision precision = Precision::fast;
  std::int64_t sample_bytes = 4;  ///< on the disk
  bool cpu = false;               ///< which keeps doubles
  int slabs = 0;                  ///< of filtered backprojection; 0: as `recon` chooses
  /// Sets of all views that corrections hold on each rank, which then reads all of them whole; 0: no corrections.
  std::int64_t corrected_sets = 0;
};

struct PlannedRank {
  IndexRange slices, rows;
  std::int64_t views = 0;
  std::int64_t host_bytes = 0;    ///< at a time
  std::int64_t device_bytes = 0;  ///< so that nothing goes in parts
  /// Of these, on the cpu of those, views that corrections hold.
  std::int64_t corrected_bytes = 0;
  std::int64_t read_bytes = 0;
  std::int64_t exchanged_bytes = 0;  ///< that it sends, an iteration or to add up a slab
};

struct RankPlan {
  std::vector<PlannedRank> ranks;
  Rates rates;            ///< that were taken
  int slabs = 0;          ///< of the volume
  bool overlaps = false;  ///< reading, upload and computing go on at once: filtered backprojection
  /// Seconds of the slowest rank: a model, not a measurement.
  double read = 0, upload = 0, compute = 0, exchange = 0, download = 0, write = 0;
  double total() const;
};

/// Volumes take 4 bytes a voxel in the file.
RankPlan plan_ranks(const VolumeGrid&, const Scan&, const PlannedWork&, const Rates&);

/// The plans of filtered backprojection for all numbers of slabs that so many ranks can make, from the largest.
std::vector<RankPlan> plans_by_slabs(const VolumeGrid&, const Scan&, PlannedWork, const Rates&);

}  // namespace backlit::cli
