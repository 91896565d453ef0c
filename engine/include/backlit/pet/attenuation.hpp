// Loads attenuation for PET.
#pragma once

#include <memory>
#include <string>

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>

namespace backlit {

/// Attenuation in 1/mm. `name`: the file of a volume (any grid), the name of a shipped phantom, or a .phantom.toml. A
/// phantom is voxelized on `grid`, the image's grid. Null for an empty name. Throws InputError and Cancelled.
std::shared_ptr<const Volume> load_attenuation(const std::string& name, const VolumeGrid& grid, const Watch& = {});

}  // namespace backlit
