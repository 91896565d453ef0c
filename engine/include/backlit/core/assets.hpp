// Where the files of assets/ are: phantoms, scans, transfer functions.
#pragma once

#include <filesystem>

namespace backlit {

/// The folder `name` of assets/: in $BACKLIT_ASSETS if that is set, else in share/backlit beside the program's bin/ (an
/// installed tree), else in the source tree this was built from.
std::filesystem::path asset_folder(const char* name);

}  // namespace backlit
