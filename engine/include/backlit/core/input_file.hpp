// Files that are read from their beginning to their end.
#pragma once

#include <filesystem>
#include <fstream>

namespace backlit {

/// Throws InputError for a path that is no regular file. Reading a pipe or a device could block for ever.
void require_regular_file(const std::filesystem::path&);
/// Opens a regular file for reading as bytes. Throws InputError when the path is no regular file or cannot be opened.
std::ifstream open_input(const std::filesystem::path&);

/// For the beginning of main(). When another program shortens a file that this one has mapped into memory, the system
/// sends SIGBUS. From now on the program then prints one line and exits with status 1. `program` must stay valid until
/// the program ends.
void exit_when_mapped_file_is_cut(const char* program);

}  // namespace backlit
