// Checks of HDF5 files that other formats need too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/io/file_format.hpp>

namespace backlit::formats {

inline bool is_hdf5(const FileFront& front) {
  const std::string_view bytes = front.bytes;
  for (const std::size_t at : {0, 512, 1024, 2048})  // a block of another program may come first: MATLAB's
    if (bytes.size() > at && bytes.substr(at).starts_with("\x89HDF\r\n\x1a\n")) return true;
  return false;
}

/// Of the library that is loaded; empty in a build without HDF5.
std::string hdf5_version();
/// Whether an HDF5 file has a data set of this name. Throws InputError when the file cannot be opened.
bool hdf5_has(const std::filesystem::path&, const std::string& data_set);

/// Names of the objects in the root, at most 1,000, in alphabetical order. Throws as hdf5_has() does.
std::vector<std::string> hdf5_roots(const std::filesystem::path&);
struct Hdf5Set {
  std::string name;     ///< from the root on
  std::int64_t values;  ///< how many it has
  std::string text;     ///< of a single value: a number with its unit, or a string; else empty
};
/// The data sets, at most 1,000; links to other files are not followed. Throws as hdf5_has() does.
std::vector<Hdf5Set> hdf5_sets(const std::filesystem::path&);
/// The attribute "units" of a data set; empty where there is none.
std::string hdf5_units(const std::filesystem::path&, const std::string& data_set);

}  // namespace backlit::formats
