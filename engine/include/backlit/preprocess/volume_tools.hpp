// What corrections and calibrations that look at the volume ask of a device.
#pragma once

#include <cstdint>
#include <functional>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

struct VolumeTools {
  /// Filtered backprojection of line integrals, under their own scan, on a coarse grid that the tools choose; with
  /// `slices` > 0 of so many slices in the middle alone. Values in 1/mm.
  std::function<Volume(const Projections&, std::int64_t slices)> reconstruct{};
  /// Line integrals of a volume under a scan.
  std::function<Projections(const Volume&, const Scan&)> project{};
};

}  // namespace backlit
