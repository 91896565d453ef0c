// SART with the volume corrected in place, on the device.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include "cuda/sart_in_place/device_volume.hpp"

namespace backlit::cuda {

class CudaBackend;

std::unique_ptr<ViewSart> make_view_sart(CudaBackend&, const VolumeGrid&, const Scan&, bool matched,
                                         std::unique_ptr<SartDeviceVolume>);

}  // namespace backlit::cuda
