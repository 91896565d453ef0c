// How the devices of one machine share a volume: slabs of slices in proportion to what each was measured to do.
#pragma once

#include <vector>

#include "backend/fdk_schedule.hpp"
#include "geometry/view.hpp"
#include "geometry/volume_grid.hpp"

namespace backlit {

class Backend;
struct CtOptions;

struct DeviceShares {
  std::vector<double> speeds;  ///< relative; all 1 where they hardly differ
  std::vector<Run> slices;     ///< of each device; none where there are fewer slices than devices
};

/// Has every device backproject some views onto a share of its own, one after the other, and cuts the grid by the
/// speeds. Slabs begin at multiples of 16 slices where each device has as many: kernels take those together, so that a
/// slab's numbers are those of the whole.
DeviceShares share_by_speed(const std::vector<Backend*>&, const VolumeGrid&, const Scan&, const CtOptions&);

}  // namespace backlit
