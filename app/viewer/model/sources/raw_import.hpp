// Values in a file without a header, and stacks of TIFF images: what they may be, and how they are opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <backlit/geometry/types.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/render/plane.hpp>

namespace backlit::viewer {

/// How the values lie in a file: x fastest, then y, then z.
struct RawImport {
  std::string file;
  Size3 size{256, 256, 256};
  std::string type = "u16";  ///< see raw_types()
  bool big_endian = false;
  std::int64_t header = 0;  ///< bytes in front of the values
  Vec3 spacing{1};          ///< mm

  bool operator==(const RawImport&) const = default;
};
/// u8, i8, u16, i16, u32, i32, f32, f64.
const std::vector<std::string>& raw_types();

/// Sizes and type from the file's name (head_512x512x300_uint16.raw), else a cube that has the file's size.
RawImport guess_raw(const std::string& file);
/// Bytes that the file has beyond what the values need; negative: it is too short.
std::int64_t bytes_left(const RawImport&);
/// A slice, every n-th value of it so that it has at most `most` columns and rows. Throws InputError.
Plane raw_slice(const RawImport&, std::int64_t slice, std::int64_t most);
/// Writes a MetaImage header beside the file, which any program opens, and returns its path: FILE.mhd, or FILE.2.mhd
/// where that exists and says something else. Throws InputError for values that do not fit the file.
std::string save_raw_header(const RawImport&);

/// Images of the same name but for their last number, "raw_*.tif", or "raw_[0-9]*.tif" where the former would take
/// other names, too; the file itself where there is no other.
std::string stack_of(const std::string& file);
/// What lies in a folder; nothing where it cannot be read.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);
/// The first image of the largest stack of TIFF images in a folder; empty: there are not two, the folder has a
/// scan, or it is no folder.
std::string largest_stack(const std::string& folder);
/// The same of an image of a stack.
Plane stack_slice(StackReader&, std::int64_t slice, std::int64_t most);

/// Whether a file's name is that of values without a header.
bool looks_raw(const std::string& file);
/// Whether it can be opened as it is.
bool in_known_format(const std::string& file);
bool is_tiff(const std::string& file);

}  // namespace backlit::viewer
