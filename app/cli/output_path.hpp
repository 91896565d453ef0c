// Finds out before the work whether its result can be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace backlit::cli {

/// Throws InputError when `path` has none of `extensions`, is a folder, would replace a .raw of something else, cannot
/// be made in its folder, or the disk has less than `bytes` free.
void require_writable(const std::filesystem::path& path, const std::vector<std::string>& extensions,
                      std::int64_t bytes = 0);
/// The same for files of any extension.
void require_writable(const std::filesystem::path& path);

/// Throws InputError when writing one of `outputs` would replace one of `inputs`, or two outputs are one file. With an
/// output .mhd its .raw is meant as well.
void refuse_overwriting(const std::vector<std::filesystem::path>& outputs,
                        const std::vector<std::filesystem::path>& inputs);

}  // namespace backlit::cli
