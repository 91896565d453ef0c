// --plane and its pixels: slices of a volume, or slices computed directly from the projections of a scan.
#pragma once

#include <filesystem>
#include <string>

#include <backlit/device/device_options.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/plane.hpp>
#include "command.hpp"

namespace CLI {
class App;
}

namespace backlit::cli {

struct PlaneOption {
  std::string plane;  ///< see parse_plane(); empty: no plane
  double pixel = 0;   ///< mm; 0: the smallest side of a voxel

  void add_flags(CLI::App&);
  bool asked() const { return !plane.empty(); }
  /// The plane and its pixels. Pixels have `pixel` mm and cover the projection of the grid's box. With both options,
  /// the plane has `size` x `size` pixels. With `size` alone, the longer side has `size` pixels.
  CutPlane apply(const VolumeGrid& box, std::int64_t size) const;
};

/// Samples the volume in the plane.
Plane cut_volume(const std::filesystem::path& volume, const PlaneOption&, std::int64_t size);

/// Reconstructs values in the plane directly from the scan's projections, on the gl backend. Uses cpu if gl is not
/// available or if cpu is requested. Throws InputError, and Cancelled on Ctrl-C.
Plane cut_scan(const std::filesystem::path& scan, const PlaneOption&, std::int64_t size, const FilterOptions&,
               const DeviceOptions&, const Console&);

}  // namespace backlit::cli
