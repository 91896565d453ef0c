// One file of the slabs of all ranks.
#pragma once

#include <filesystem>

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit::cli {

/// Saves `slab`, which is this rank's part of a volume on `whole` in slices of ranks' order, under the format of the
/// path. Each rank writes its slab at its place in the file. Where the format packs slices, a rank does not see the
/// file, or it lies on a network file system such as NFS, rank 0 writes all, and collects the others' slabs a few
/// slices at a time. The file has its final name when all
/// is in it. Throws as save_volume() does.
void save_slabs(Ranks&, const Volume& slab, const VolumeGrid& whole, const std::filesystem::path&, const Watch&);

}  // namespace backlit::cli
