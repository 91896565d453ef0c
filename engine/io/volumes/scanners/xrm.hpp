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

// Fields whose meaning is known, with units as in the readers of CIL, dxchange and txrm2tiff.

/// Number, size and type of the images.
inline constexpr KnownField xrm_image_fields[] = {{"ImageInfo/ImageWidth", "columns", "px"},
                                                  {"ImageInfo/ImageHeight", "rows", "px"},
                                                  {"ImageInfo/ImagesTaken", "images"},
                                                  {"ImageInfo/NoOfImages", "images planned"},
                                                  {"ImageInfo/DataType", "type of the samples"}};
/// How they were taken: no part of the geometry.
inline constexpr KnownField xrm_exposure_fields[] = {{"ImageInfo/Voltage", "tube voltage", "kV"},
                                                     {"ImageInfo/Current", "tube current", "uA"},
                                                     {"ImageInfo/ExpTimes", "exposure", "s"},
                                                     {"ImageInfo/Energy", "energy", "eV"},
                                                     {"ImageInfo/OpticalMagnification", "optical magnification"},
                                                     {"ImageInfo/XPosition", "sample, x", "um"},
                                                     {"ImageInfo/YPosition", "sample, y", "um"},
                                                     {"ImageInfo/ZPosition", "sample, z", "um"},
                                                     {"ImageInfo/Date", "date"}};

/// The flat field of the images, as a stack of one image; null where the file has none of the same size.
std::unique_ptr<StackReader> open_xrm_reference(const std::filesystem::path&);

}  // namespace backlit::formats
