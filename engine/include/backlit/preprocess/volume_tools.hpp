// What corrections and calibrations that look at the volume ask of a device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

class Backend;

struct VolumeTools {
  /// A coarse grid for this scan. With `slices` > 0 it has at most that many slices, in the middle.
  std::function<VolumeGrid(const Scan&, std::int64_t slices)> grid{};
  /// Filtered backprojection of line integrals, under their own scan. Values in 1/mm.
  std::function<Volume(const Projections&, const VolumeGrid&)> reconstruct{};
  /// Line integrals of a volume under a scan.
  std::function<Projections(const Volume&, const Scan&)> project{};
  /// The device of these tools (see recon/volume_tools.hpp): corrections on it need no copies on the host. May be null.
  std::shared_ptr<Backend> backend{};
};

}  // namespace backlit
