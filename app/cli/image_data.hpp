// Any file of values as one block: a volume, or the projections of a scan.
#pragma once

#include <filesystem>

#include <backlit/data/volume.hpp>
#include "command.hpp"

namespace backlit::cli {

/// load_volume() with a progress bar; throws Cancelled on Ctrl-C.
Volume load_shown(const std::filesystem::path&, const Console&);

/// A volume, or the projections of a scan file as they are stored: columns, rows, views. The spacing of projections is
/// in mm along the detector and 1 between views. Shows a progress bar; throws Cancelled on Ctrl-C.
Volume load_block(const std::filesystem::path&, const Console&);

}  // namespace backlit::cli
