// --grid, --voxel and --grid-center.
#pragma once

#include <string>

#include <backlit/geometry/volume_grid.hpp>

namespace CLI {
class App;
}

namespace backlit::cli {

struct GridOption {
  std::string size, voxel, center;

  void add_flags(CLI::App&);
  /// `base` with what was asked for: --grid alone divides the same box into cubes that cover it, --voxel alone fills
  /// the same box. Throws InputError.
  VolumeGrid apply(const VolumeGrid& base) const;
};

/// "256x256x200" or "256" (all three).
Size3 parse_size(const std::string& text, const std::string& where);
/// "0.5x0.5x1", "0.5,0.5,1" or "0.5" (all three).
Vec3 parse_vector(const std::string& text, const std::string& where);
/// "10,-2.5,0", finite.
Vec3 parse_point(const std::string& text, const std::string& where);
/// "256 x 256 x 200".
std::string size_text(const Size3&);

}  // namespace backlit::cli
