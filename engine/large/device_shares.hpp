// Division of a volume among the devices of one machine: slabs of slices in proportion to measured speeds.
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
  std::vector<Run> slices;     ///< of each device; some have none when there are fewer slices than devices
};

/// Slabs in proportion to speeds. Slabs begin at multiples of 16 slices where each device has at least 16, because
/// voxel-driven kernels process 16 together. For other models the multiple is at most an eighth of an equal share.
/// Otherwise three devices would have 16, 32 and 16 of 64 slices.
std::vector<Run> slabs_by_speed(std::int64_t slices, const std::vector<double>& speeds, Model);

/// Measures the speeds and divides the grid by them. For that each device, one after another, backprojects some views
/// onto a slab.
DeviceShares share_by_speed(const std::vector<Backend*>&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit
