// Elekta .his (Heimann): a header of 68 bytes, an extension of it, then u16 images.
#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/binary_fields.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t header_bytes = 68;
constexpr double panel_mm = 409.6;  // the side of Elekta's panels for any binning

std::unique_ptr<StackReader> open_his(const fs::path& path) {
  const std::string front = read_front(path, header_bytes);
  const BinaryFields h(front, path.string());
  const auto number = [&](std::size_t at) { return static_cast<std::int64_t>(h.get<std::uint16_t>(at)); };
  RawLayout layout;
  layout.info.format = "his";
  layout.info.columns = number(16) - number(12) + 1;
  layout.info.rows = number(18) - number(14) + 1;
  layout.info.images = std::max<std::int64_t>(1, number(20));
  layout.samples = {SampleType::u16};
  layout.offset = static_cast<std::int64_t>(header_bytes) + number(10);
  if (layout.info.columns > 0 && layout.info.rows > 0)
    layout.info.pixel_mm = panel_mm / glm::dvec2(layout.info.columns, layout.info.rows);
  return make_raw_stack(open_bytes(path), layout, path.string());
}

/// Heimann's header. The first and last column and row are counted from 1.
constexpr BinaryField his_fields[] = {
    {2, BinaryField::Type::u16, {"HeaderSize", "header", "bytes"}},
    {4, BinaryField::Type::u16, {"HeaderVersion"}},
    {6, BinaryField::Type::u32, {"FileSize"}},
    {10, BinaryField::Type::u16, {"ImageHeaderSize", "header of the image", "bytes"}},
    {12, BinaryField::Type::u16, {"ULX", "first column", "px"}},
    {14, BinaryField::Type::u16, {"ULY", "first row", "px"}},
    {16, BinaryField::Type::u16, {"BRX", "last column", "px"}},
    {18, BinaryField::Type::u16, {"BRY", "last row", "px"}},
    {20, BinaryField::Type::u16, {"NrOfFrames", "images"}},
    {22, BinaryField::Type::u16, {"Correction"}},
    {24, BinaryField::Type::f64, {"IntegrationTime"}},
    {32, BinaryField::Type::u16, {"TypeOfNumbers"}},
};

void describe_his(const fs::path& path, FileInfo& info) {
  const std::string front = read_front(path, header_bytes);
  HeaderFields fields = HeaderFields::of_binary(BinaryFields(front, path.string()), his_fields);
  fields.note_fact("side of the panel", with_unit(panel_mm, "mm"), "of the machine, not in the file");
  fields.add_to(info);
}

}  // namespace

VolumeFormat his_format() {
  VolumeFormat f;
  f.name = "his";
  f.title = "Elekta HIS";
  f.extensions = {".his"};
  f.recognizes = [](const FileFront& front) {
    using namespace std::string_view_literals;
    return front.bytes.starts_with("\0\x70\x44\0"sv) && front.bytes.size() >= header_bytes;
  };
  f.open = [](const fs::path& path, const std::string&) { return open_his(path); };
  f.describe = describe_his;
  f.notes = "u16 images of a panel 409.6 mm wide; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
