// OME-NGFF's "multiscales": which arrays of a Zarr group are one volume at several resolutions, and where it lies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <backlit/geometry/types.hpp>

namespace backlit::zarr {

/// One array of the pyramid. Vectors are x, y, z.
struct Level {
  std::string path;             ///< of the array, as seen from the group
  std::optional<Vec3> spacing;  ///< mm, when the file says
  Vec3 first{0};                ///< mm, the middle of its first voxel
};

/// The levels of a group, the finest first; empty where the folder is no such group. Throws InputError for metadata
/// that are damaged.
std::vector<Level> levels_of(const std::filesystem::path& group);

/// Writes .zgroup and .zattrs (OME-NGFF 0.4).
void write_group(const std::filesystem::path& group, const std::string& name, const std::vector<Level>&);

}  // namespace backlit::zarr
