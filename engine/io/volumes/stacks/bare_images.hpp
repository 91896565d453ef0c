// Images without a header, one a file: what their size is, another file says.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <backlit/io/volumes/stack_reader.hpp>
#include "io/sample_type.hpp"

namespace backlit {

/// The samples of images, and what precedes them in each file.
struct BareImageFormat {
  SampleFormat samples{SampleType::u16};
  std::int64_t header_bytes = 0;
};

/// Throws InputError for a file that is not exactly as long as its header and columns x rows values, naming it.
std::unique_ptr<StackReader> open_bare_images(std::vector<std::filesystem::path> files, std::int64_t columns,
                                              std::int64_t rows, const BareImageFormat& = {});

}  // namespace backlit
