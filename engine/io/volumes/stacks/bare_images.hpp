// Images without a header, one a file: what their size is, another file says.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// Little-endian u16. Throws InputError for a file that is not exactly columns x rows values long, naming it.
std::unique_ptr<StackReader> open_bare_images(std::vector<std::filesystem::path> files, std::int64_t columns,
                                              std::int64_t rows);

}  // namespace backlit
