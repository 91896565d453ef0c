// What Zeiss (Xradia) files say of their images.
#pragma once

#include <optional>
#include <vector>

#include "io/volumes/scanners/ole.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {

/// A stream of little-endian 4-byte numbers. Throws InputError when it is no whole number of them.
std::vector<float> ole_floats(const OleFile&, const std::string& stream, const std::string& where);
/// The first whole number of a stream; nothing where there is none.
std::optional<std::int32_t> ole_integer(const OleFile&, const std::string& stream, const std::string& where);

/// Columns, rows, number and type of the images. Throws InputError(where).
StackInfo xrm_info(const OleFile&, const std::string& where);

/// The image that flat-fields the others, as one image; null where the file has none of the same size.
std::unique_ptr<StackReader> open_xrm_reference(const std::filesystem::path&);

}  // namespace backlit::formats
