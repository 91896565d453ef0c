// Volumes of SART in place in the representations of Keck et al. (IEEE NSS/MIC 2009), for comparison with the
// product's.
#pragma once

#include <memory>
#include <string>

#include "cuda/sart_in_place/device_volume.hpp"

namespace backlit::cuda {

/// "pitch2d", "surface3d" (the product's), "texture3d", "array2d". The last two also with ",copy": the whole volume is
/// copied to textures after each view, as in the paper. Otherwise corrections are written to both. Throws Unsupported
/// if the grid is larger than textures of the representation can be.
std::unique_ptr<SartDeviceVolume> make_represented_volume(Stream&, const VolumeGrid&, const std::string& name);

}  // namespace backlit::cuda
