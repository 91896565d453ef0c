// Finds out before the work whether its result can be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace backlit::cli {

/// Throws InputError when `path` has none of `extensions`, is a folder, its folder is missing or read-only, or the disk
/// has less than `bytes` free.
void require_writable(const std::filesystem::path& path, const std::vector<std::string>& extensions,
                      std::int64_t bytes = 0);

/// Extensions that save_projections() takes, with the dot.
const std::vector<std::string>& projection_extensions();

}  // namespace backlit::cli
