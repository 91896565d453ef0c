// Replaces hdf5.cpp in a build without HDF5: such files are recognized, but neither read nor written.
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/hdf5.hpp"

namespace backlit::formats {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path) {
  throw Unsupported(path.string(), "this Backlit was built without HDF5",
                    "build it with -DBACKLIT_HDF5=ON (Debian: libhdf5-dev), or use .mha or .nrrd");
}

}  // namespace

std::string hdf5_version() { return {}; }

bool hdf5_has(const fs::path& path, const std::string&) { refuse(path); }

std::vector<std::string> hdf5_roots(const fs::path& path) { refuse(path); }

std::vector<Hdf5Set> hdf5_sets(const fs::path& path) { refuse(path); }

std::string hdf5_units(const fs::path& path, const std::string&) { refuse(path); }

VolumeFormat hdf5_format() {
  VolumeFormat f;
  f.name = "hdf5";
  f.title = "HDF5";
  f.extensions = {".h5", ".hdf5", ".nxs", ".hdf", ".he5"};
  f.saved_as = {".h5", ".hdf5"};
  f.recognizes = is_hdf5;
  f.open = [](const fs::path& path, const std::string&) -> std::unique_ptr<StackReader> { refuse(path); };
  f.create = [](const fs::path& path, const VolumeGrid&) -> std::unique_ptr<StackWriter> { refuse(path); };
  f.has_data_sets = true;
  f.numbers = [](const fs::path& path, const std::string&) -> std::vector<double> { refuse(path); };
  f.notes = "not in this build";
  return f;
}

}  // namespace backlit::formats
