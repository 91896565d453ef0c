// --plane and its pixels: slices of a volume, or straight from the projections of a scan.
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
  std::string plane;  ///< see parse_plane(); empty: not asked for
  double pixel = 0;   ///< mm; 0: a voxel's smallest side

  void add_flags(CLI::App&);
  bool asked() const { return !plane.empty(); }
  /// Placed and divided: pixels of `pixel` mm that cover what the plane cuts of the grid's box, or `size` of them a
  /// side when both are given, or `size` along the longer side when only that is.
  CutPlane apply(const VolumeGrid& box, std::int64_t size) const;
};

/// Values in the plane from a volume.
Plane cut_volume(const std::filesystem::path& volume, const PlaneOption&, std::int64_t size);

/// Values in the plane, reconstructed there from the scan's projections; the gl backend, or cpu where it is not to be
/// had or asked for by name. Throws InputError, and Cancelled on Ctrl-C.
Plane cut_scan(const std::filesystem::path& scan, const PlaneOption&, std::int64_t size, const FilterOptions&,
               const DeviceOptions&, const Console&);

}  // namespace backlit::cli
