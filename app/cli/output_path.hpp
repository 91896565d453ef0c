// Checks before the work that its result can be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace backlit::cli {

/// Throws InputError if `path` has none of `extensions`, is a folder, or would replace a .raw of another file. Also if
/// it cannot be created in its folder, or the disk has less than `bytes` free.
void require_writable(const std::filesystem::path& path, const std::vector<std::string>& extensions,
                      std::int64_t bytes = 0);
/// The same for files of any extension.
void require_writable(const std::filesystem::path& path);

/// Throws InputError if one of `outputs` would replace one of `inputs`, or if two outputs are one file. An output .mhd
/// includes its .raw.
void refuse_overwriting(const std::vector<std::filesystem::path>& outputs,
                        const std::vector<std::filesystem::path>& inputs);

}  // namespace backlit::cli
