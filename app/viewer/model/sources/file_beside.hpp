// Small text files that an import writes beside the data.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <backlit/core/atomic_file.hpp>

namespace backlit::viewer {

/// Writes `text` to NAME + ENDING, or to NAME.2 + ENDING and so on where that exists and says something else. Returns
/// the path.
inline std::string write_beside(const std::string& name, const std::string& ending, const std::string& text) {
  for (int n = 1;; ++n) {
    const std::filesystem::path path = name + (n == 1 ? "" : fmt::format(".{}", n)) + ending;
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error);
    std::ifstream file(path, std::ios::binary);
    if (exists && (!file || std::string(std::istreambuf_iterator<char>(file), {}) != text)) continue;
    if (!exists) write_text(path, text);
    return path.string();
  }
}

}  // namespace backlit::viewer
