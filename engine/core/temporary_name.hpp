// Names of output that is not complete yet.
#pragma once

#include <filesystem>

namespace backlit {

/// A name beside `final_path` that nobody can guess. Its extension is that of `final_path`: writers that look at it
/// still recognise the format.
std::filesystem::path temporary_name(const std::filesystem::path& final_path);

/// Removes what writers of the same file or folder left behind when they were killed, a day ago or earlier.
void remove_old_parts(const std::filesystem::path& final_path);

/// What writing replaces: the file or folder that a link leads to, not the link.
std::filesystem::path behind_links(const std::filesystem::path&);

/// The folder that `path` lies in. Throws InputError where there is none, or where it cannot be written to.
std::filesystem::path writable_folder_of(const std::filesystem::path& path);

}  // namespace backlit
