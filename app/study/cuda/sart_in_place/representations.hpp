// The volume of SART in place by the representations of Keck et al. (IEEE NSS/MIC 2009), beside the product's.
#pragma once

#include <memory>
#include <string>

#include "cuda/sart_in_place/device_volume.hpp"

namespace backlit::cuda {

/// "pitch2d", "surface3d" (the product's), "texture3d", "array2d"; the last two also with ",copy": the whole volume is
/// copied to textures after each view, as in the paper, where otherwise corrections are written to both. Throws
/// Unsupported where the grid is larger than textures of the representation can be.
std::unique_ptr<SartDeviceVolume> make_represented_volume(Stream&, const VolumeGrid&, const std::string& name);

}  // namespace backlit::cuda
