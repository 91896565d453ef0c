// Saves a volume that lies in a file already.
#pragma once

#include <filesystem>

#include <backlit/data/volume.hpp>

namespace backlit {

/// Saves a volume whose values are mapped to a file (backlit/data/host_memory.hpp). The file becomes the .raw of a
/// .mhd, so that nothing is copied. Afterwards the volume must not be changed or saved this way again. Returns false
/// and saves nothing for other formats and other memory; then use save_volume(). Throws as save_volume() does.
bool save_mapped_volume(const Volume&, const std::filesystem::path&);

}  // namespace backlit
