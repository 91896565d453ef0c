// The properties in the headers of Varian's images.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit::formats {

/// One .xim image: Varian's names, numbers in Varian's units (cm, degrees).
struct XimImage {
  std::int64_t columns = 0, rows = 0;
  std::map<std::string, double> numbers;  ///< properties that are one number: KVSourceRtn, PixelWidth, ...
};
/// Throws InputError naming the file.
XimImage read_xim_header(const std::filesystem::path&);

}  // namespace backlit::formats
