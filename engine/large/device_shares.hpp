// How the devices of one machine share a volume: slabs of slices in proportion to what each was measured to do.
#pragma once

#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit {

class Backend;

struct DeviceShares {
  std::vector<double> speeds;  ///< relative; all 1 where they hardly differ
  std::vector<Run> slices;     ///< of each device; none where there are fewer slices than devices
};

/// Slabs in proportion to speeds. They begin at multiples of 16 slices where each device has as many, for voxel-driven
/// kernels take those together; with other models at multiples of an eighth of a share at most, or three devices would
/// have 16, 32 and 16 of 64 slices.
std::vector<Run> slabs_by_speed(std::int64_t slices, const std::vector<double>& speeds, Model);

/// Has every device backproject some views onto a share of its own, one after the other, and cuts the grid by the
/// speeds.
DeviceShares share_by_speed(const std::vector<Backend*>&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit
