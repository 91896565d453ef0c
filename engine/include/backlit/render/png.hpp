// Pictures as PNG files.
#pragma once

#include <filesystem>
#include <string>

#include <backlit/render/image.hpp>

namespace backlit {

/// Writes 8-bit RGB. The file appears complete or not at all. Throws InputError or Failure naming the file.
void save_png(const Image&, const std::filesystem::path&);

/// The bytes of a PNG file, 8-bit RGB. Throws InputError or Failure naming `where`.
std::string encode_png(const Image&, const std::string& where);

/// Reads any PNG and converts it to 8-bit RGB without alpha. Throws InputError naming the file.
Image load_png(const std::filesystem::path&);

}  // namespace backlit
