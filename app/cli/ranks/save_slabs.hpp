// One file of the slabs of all ranks.
#pragma once

#include <filesystem>
#include <functional>

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/ranks.hpp>
#include <backlit/recon/session.hpp>

namespace backlit::cli {

/// Where this rank's part of a volume comes from.
struct SlicesToSave {
  /// Calls `take` for slices, in order, in the batches of in_batches(). `behind`: on another thread, while further
  /// slices are made.
  std::function<void(const TakeSlices& take, const Watch&, bool behind)> give;
  /// Computes what is left, for give() waits until the ranks before have given theirs.
  std::function<void()> compute;
};

/// Saves a volume on `whole`, of which each rank has the slices `own` (as a grid), in the order of ranks, under the
/// format of the path. Each rank writes its slices at their place in the file. Where the format packs slices, a rank
/// does not see the file, or it lies on a network file system such as NFS, rank 0 writes all, and collects the others'
/// slabs a few slices at a time. The file has its final name when all is in it. Throws as save_volume() does.
void save_slabs(Ranks&, const VolumeGrid& own, const SlicesToSave& slices, const VolumeGrid& whole,
                const std::filesystem::path&, const Watch&);

}  // namespace backlit::cli
