// Attenuation for PET by name.
#pragma once

#include <memory>
#include <string>

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// 1/mm: a volume in a file (any grid), or a phantom (a shipped one's name, or a .phantom.toml) in the voxels of
/// `grid`, the image's. Null for an empty name. Throws InputError, and Cancelled.
std::shared_ptr<const Volume> load_attenuation(const std::string& name, const VolumeGrid& grid, const Watch& = {});

}  // namespace backlit
