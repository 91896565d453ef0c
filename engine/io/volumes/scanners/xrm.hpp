// The headers of Zeiss (Xradia) files.
#pragma once

#include <optional>
#include <vector>

#include "io/header_fields.hpp"
#include "io/volumes/scanners/ole.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {

/// The floats of a stream of little-endian 4-byte numbers. Throws InputError when its length is not a multiple of 4.
std::vector<float> ole_floats(const OleFile&, const std::string& stream, const std::string& where);
/// The first integer of a stream; nothing where there is none.
std::optional<std::int32_t> ole_integer(const OleFile&, const std::string& stream, const std::string& where);

/// Columns, rows, number and type of the images. Throws InputError(where).
StackInfo xrm_info(const OleFile&, const std::string& where);

/// All streams besides images, as fields: single numbers and short lists, text, else their size. Most readers know the
/// type of only a few streams, so four bytes are taken as an integer or a float, whichever they can be. Motors are
/// fields "PositionInfo/NAME", with the file's unit, of the first image.
HeaderFields xrm_fields(const OleFile&, const std::string& where);

/// The flat field of the images, as a stack of one image; null where the file has none of the same size.
std::unique_ptr<StackReader> open_xrm_reference(const std::filesystem::path&);

}  // namespace backlit::formats
