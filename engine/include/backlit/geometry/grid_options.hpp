// The volume to reconstruct: one rule for scan files, command lines and windows.
#pragma once

#include <optional>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// The volume that a user asks for. Values that are not given follow from a base volume, see chosen_grid().
struct GridOptions {
  Size3 size{0, 0, 0};           ///< voxels; 0: not given
  Vec3 voxel{0, 0, 0};           ///< mm; 0: not given. All three are given, or none
  std::optional<Vec3> center{};  ///< mm, the middle of the volume

  /// Size and voxel of every axis are given.
  bool complete() const { return count(size) > 0 && voxel != Vec3(0); }
  bool operator==(const GridOptions&) const = default;
};

/// Parameters `grid`, `voxel` and `grid_center`.
Parameters describe(GridOptions&);

/// The base of chosen_grid() when no volume is given: the box that every view sees, see default_grid(). Complete
/// options replace its size and voxels. Then the base is centred on the origin, or on the box where the views do not
/// see z = 0; the views need not determine a box. Otherwise throws as default_grid() does.
VolumeGrid base_grid(const Scan&, const GridOptions&);

/// `base` with the given options applied:
///   voxel alone   fills the same box: as many voxels as cover it, rounded up
///   size alone    divides the same box into cubes that cover it; axes without a size keep theirs
///   both          are taken as they are
///   center        moves the box
/// An axis with one voxel keeps it, unless its size is given. Throws InputError naming the parameter.
VolumeGrid chosen_grid(const VolumeGrid& base, const GridOptions&);

/// Reads "64x64x32", "64,64,32", or "64" for all three. Throws InputError(where).
Size3 parse_size(const std::string& text, const std::string& where);
/// Reads "0.5x0.5x1", "0.5,0.5,1", or "0.5" for all three. Throws InputError(where).
Vec3 parse_vector(const std::string& text, const std::string& where);
/// Reads three finite numbers, "10,-2.5,0". Throws InputError(where).
Vec3 parse_point(const std::string& text, const std::string& where);

/// Writes "64 x 64 x 32".
std::string size_text(const Size3&);
/// Writes "0.5 mm", or "0.5 x 0.5 x 1 mm", with four digits.
std::string spacing_text(const Vec3&);

}  // namespace backlit
