// Saving a volume that lies in a file already.
#pragma once

#include <filesystem>

#include <backlit/data/volume.hpp>

namespace backlit {

/// Saves a volume whose values are mapped to a file (backlit/data/host_memory.hpp) as a .mhd whose .raw is that very
/// file: nothing is copied. The volume must not be changed afterwards, nor be saved so again. False, and nothing saved,
/// for other formats and where the values lie elsewhere; save_volume() does it then. Throws as that does.
bool save_mapped_volume(const Volume&, const std::filesystem::path&);

}  // namespace backlit
