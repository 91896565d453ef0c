// Pictures as PNG files.
#pragma once

#include <filesystem>
#include <string>

#include <backlit/render/image.hpp>

namespace backlit {

/// 8-bit RGB. Appears complete or not at all; throws InputError or Failure naming the file.
void save_png(const Image&, const std::filesystem::path&);

/// The bytes of such a file. Throws InputError or Failure naming `where`.
std::string encode_png(const Image&, const std::string& where);

/// Any PNG, converted to 8-bit RGB without alpha. Throws InputError naming the file.
Image load_png(const std::filesystem::path&);

}  // namespace backlit
