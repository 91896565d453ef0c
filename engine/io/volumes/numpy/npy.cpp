// NumPy arrays alone in a file: one to three dimensions, C order, real numbers of any type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/header_fields.hpp"
#include "io/volumes/numpy/npy_header.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

NpyHeader header_of(const fs::path& path) { return read_npy_header(read_front(path, npy_header_bytes), path.string()); }

std::unique_ptr<StackWriter> create_npy(const fs::path& path, const Size3& size) {
  std::string dictionary =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}), }}", size[2], size[1], size[0]);
  dictionary.append(64 - (10 + dictionary.size() + 1) % 64, ' ');  // data begin at a multiple of 64
  dictionary += '\n';
  const auto length = static_cast<std::uint16_t>(dictionary.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(length & 0xff);
  header += static_cast<char>(length >> 8);
  return std::make_unique<RawWriter>(path, size, header + dictionary);
}

}  // namespace

VolumeFormat npy_format() {
  VolumeFormat f;
  f.name = "npy";
  f.title = "NumPy array";
  f.extensions = f.saved_as = {".npy"};
  f.recognizes = [](const FileFront& front) { return front.bytes.starts_with("\x93NUMPY"); };
  f.open = [](const fs::path& path, const std::string&) {
    return make_raw_stack(open_bytes(path), npy_images(header_of(path), path.string()), path.string());
  };
  f.describe = [](const fs::path& path, FileInfo& info) {
    const NpyHeader header = header_of(path);
    HeaderFields fields(path.string());
    fields.add("shape", fmt::format("{}", fmt::join(header.shape, " ")));
    fields.add("descr", sample_name(header.samples.type));
    constexpr KnownField known[] = {{"shape", "images, rows, columns", "px"}, {"descr", "kind of values"}};
    fields.note_known(known);
    fields.add_to(info);
  };
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return create_npy(path, grid.size); };
  f.holds_projections = true;
  f.numbers = [](const fs::path& path, const std::string&) {
    return npy_numbers(open_bytes(path), header_of(path), path.string());
  };
  f.notes = "view or z first, C order; no spacing";
  return f;
}

}  // namespace backlit::formats
