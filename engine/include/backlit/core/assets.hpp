// Finds the files of assets/: phantoms, scanners, scans, transfer functions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace backlit {

/// The folder `name` of the assets, in the first of these that exists:
///   the folder given to set_asset_folder(), or $BACKLIT_ASSETS: taken even when it does not exist
///   share/backlit in the program's folder or up to two folders above it
///   share/backlit beside the library's folder, when Backlit is a shared library or part of one
///   the assets of the Backlit that the program was built with, when its build took Backlit::engine
std::filesystem::path asset_folder(const char* name);

/// Sets the folder of a program's own copy of share/backlit. Call it before other threads use the engine.
void set_asset_folder(const std::filesystem::path&);

/// Text for an error's remedy: "one of a, b". Names the folder of the shipped files when `names` is empty.
std::string one_of_shipped(const std::vector<std::string>& names);

/// Sets the folder that asset_folder() tries last. Returns true.
bool set_last_asset_folder(const char* folder);

#ifdef BACKLIT_ASSET_FOLDER  // the CMake target Backlit::engine defines it for those who link it
inline const bool last_asset_folder_set = set_last_asset_folder(BACKLIT_ASSET_FOLDER);
#endif

}  // namespace backlit
