// Files that are read from their beginning to their end.
#pragma once

#include <filesystem>
#include <fstream>

namespace backlit {

/// Throws InputError for a path that is no regular file: reading a pipe or a device could block for ever.
void require_regular_file(const std::filesystem::path&);
/// The same, opened to be read as bytes. Throws InputError when it cannot be.
std::ifstream open_input(const std::filesystem::path&);

/// For the beginning of main(): a file that is mapped into memory and then cut by somebody raises SIGBUS. From now on
/// the program says so in one line and exits with 1. `program` must outlive it.
void exit_when_mapped_file_is_cut(const char* program);

}  // namespace backlit
