#include "io/libraries.hpp"

#include <fftw3.h>
#include <tiffio.h>
#include <zlib.h>

#include <string_view>

#include "io/volumes/hdf5.hpp"

namespace backlit {
namespace {

/// The first number with a dot of a library's own sentence: "LIBTIFF, Version 4.5.0" and a line with its owners.
std::string number_in(std::string_view text) {
  const auto begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return "unknown";
  const auto end = text.find_first_not_of("0123456789.", begin);
  return std::string(text.substr(begin, end == std::string_view::npos ? end : end - begin));
}

}  // namespace

std::vector<std::string> library_versions() {
  std::vector<std::string> all;
  const auto add = [&](const char* name, const std::string& version) {
    if (!version.empty()) all.push_back(std::string(name).append(" ").append(version));
  };
  add("FFTW", number_in(fftwf_version));
  add("libtiff", number_in(TIFFGetVersion()));
  add("zlib", zlibVersion());
  add("HDF5", formats::hdf5_version());
  return all;
}

}  // namespace backlit
