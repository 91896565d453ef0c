// Waygate (GE) phoenix volumes: an INI file (.pcr) beside bare values (.vol), as other readers have it.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/header_fields.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

fs::path header_of(fs::path volume) { return volume.replace_extension(".pcr"); }

SampleType type_of(HeaderFields& fields) {
  const double code = fields.require("VolumeData.Format", "kind of values");
  if (code == 1) return SampleType::u8;
  if (code == 5) return SampleType::u16;
  if (code == 10) return SampleType::f32;
  fields.fail("VolumeData.Format", fmt::format("values of kind {} are not known", code), "u8, u16 and f32 can be read");
}

/// The header's own path is of the machine that reconstructed.
fs::path values_beside(const fs::path& header, HeaderFields& fields) {
  std::error_code error;
  if (const auto name = fields.text("VolumeData.VOL_File", "file of the values")) {
    const fs::path named = header.parent_path() / name->substr(name->find_last_of("/\\") + 1);
    if (fs::is_regular_file(named, error)) return named;
  }
  fs::path same = header;
  same.replace_extension(".vol");
  if (fs::is_regular_file(same, error)) return same;
  throw InputError(header.string(), fmt::format("there is no file {}", same.string()), "put the .vol beside the .pcr");
}

RawLayout read_phoenix(HeaderFields& fields) {
  constexpr std::int64_t most = 1 << 20;
  RawLayout layout;
  layout.info.format = "pcr";
  layout.info.columns = fields.require_count("VolumeData.Volume_SizeX", "columns", most, "px");
  layout.info.rows = fields.require_count("VolumeData.Volume_SizeY", "rows", most, "px");
  layout.info.images = fields.require_count("VolumeData.Volume_SizeZ", "slices", most);
  layout.samples.type = type_of(fields);
  if (fields.has("VoxelSizeRec")) layout.info.spacing = Vec3(fields.require_positive("VoxelSizeRec", "voxel", "mm"));
  layout.info.values_file = values_beside(fields.file(), fields);
  return layout;
}

std::unique_ptr<StackReader> open_phoenix(const fs::path& path) {
  HeaderFields fields = HeaderFields::of_ini(header_of(path));
  const RawLayout layout = read_phoenix(fields);
  return make_raw_stack(open_bytes(*layout.info.values_file), layout, layout.info.values_file->string());
}

void describe_phoenix(const fs::path& path, FileInfo& info) {
  HeaderFields fields = HeaderFields::of_ini(header_of(path));
  read_phoenix(fields);
  fields.add_to(info);
  info.kind = "volume";
}

}  // namespace

VolumeFormat phoenix_volume_format() {
  VolumeFormat f;
  f.name = "pcr";
  f.title = "Waygate phoenix volume";
  f.extensions = {".pcr"};
  f.values_apart = true;
  f.recognizes = [](const FileFront& front) {
    std::error_code error;
    if (has_extension(front.path, {".vol"})) return fs::is_regular_file(header_of(front.path), error);
    return has_extension(front.path, {".pcr"}) && lower_case(front.bytes).find("volume_sizex") != std::string::npos;
  };
  f.open = [](const fs::path& path, const std::string&) { return open_phoenix(path); };
  f.describe = describe_phoenix;
  f.notes = "with its `.vol`, either may be named; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
