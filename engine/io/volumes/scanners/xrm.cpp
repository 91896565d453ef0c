// Zeiss (Xradia) .txrm, .xrm and .txm: OLE2 files with one stream for each image.
#include "io/volumes/scanners/xrm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/binary_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

SampleType xrm_type(std::optional<std::int32_t> number, const std::string& where) {
  switch (number.value_or(5)) {
    case 2:
      return SampleType::i8;
    case 3:
      return SampleType::u8;
    case 4:
      return SampleType::i16;
    case 5:
      return SampleType::u16;
    case 6:
      return SampleType::i32;
    case 7:
      return SampleType::u32;
    case 10:
      return SampleType::f32;
    case 11:
      return SampleType::f64;
    default:
      throw InputError(where, fmt::format("its images are of type {}", *number), "integers and floats can be read");
  }
}

/// The images from their streams, or their flat field.
class XrmStack final : public StackReader {
 public:
  XrmStack(const fs::path& path, bool reference) : where_(path.string()), file_(path), reference_(reference) {
    info_ = xrm_info(file_, where_);
    info_.format = "xrm";
    const char* type = reference ? "ReferenceData/DataType" : "ImageInfo/DataType";
    samples_.type = xrm_type(ole_integer(file_, type, where_), where_);
    if (reference) info_.images = 1;
    info_.type = sample_name(samples_.type);
    if (has_extension(path, {".txm"}) && info_.pixel_mm) info_.spacing = Vec3(info_.pixel_mm->x);  // a volume
    const std::int64_t bytes = packed_bytes(info_, samples_.type, where_),
                       on_disk = static_cast<std::int64_t>(fs::file_size(path));
    if (bytes > on_disk)
      throw InputError(
          where_,
          fmt::format("{} bytes cannot hold {} images of {} x {}", on_disk, info_.images, info_.columns, info_.rows),
          "the file is cut off or its header is damaged");
  }
  const StackInfo& info() const override { return info_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    for (std::int64_t i = first; i < first + count; ++i) {
      const std::string name =
          reference_ ? "ReferenceData/Image" : fmt::format("ImageData{}/Image{}", i / 100 + 1, i + 1);
      const auto bytes = file_.stream(name);
      if (!bytes || bytes->size() < pixels * static_cast<std::size_t>(sample_bytes(samples_.type)))
        throw InputError(where_, fmt::format("image {} ({}) is missing or too short", i, name), "the file is cut off");
      convert_samples(std::as_bytes(std::span(*bytes)), samples_,
                      out.subspan(static_cast<std::size_t>(i - first) * pixels, pixels));
    }
  }

 private:
  std::string where_;
  OleFile file_;
  bool reference_;
  StackInfo info_;
  SampleFormat samples_;
};

/// Small integers are no usual floats, and the other way round. Nothing where a number can be neither.
std::optional<std::string> stream_numbers(const std::string& bytes) {
  constexpr std::int32_t most = 1 << 24;
  const BinaryFields words(bytes, "");
  std::vector<std::int32_t> integers;
  std::vector<float> floats;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    integers.push_back(words.get<std::int32_t>(at));
    floats.push_back(words.get<float>(at));
  }
  if (std::ranges::all_of(integers, [](std::int32_t n) { return n > -most && n < most; }))
    return fmt::format("{}", fmt::join(integers, " "));
  const auto usual = [](float f) { return f == 0 || (std::abs(f) > 1e-9f && std::abs(f) < 1e12f); };
  if (std::ranges::all_of(floats, usual)) return fmt::format("{}", fmt::join(floats, " "));
  return {};
}

/// The text at the front of a stream, up to a zero; empty where anything else is there. Micro signs become "u".
std::string leading_text(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, bytes.find('\0'))) {
    const bool letter = (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t' || c == '\xb5';
    if (!letter) return {};
    text += c == '\xb5' ? 'u' : c;
  }
  return text;
}

/// Texts of equal length, one after another.
std::vector<std::string> text_table(const std::string& bytes, std::size_t count) {
  std::vector<std::string> texts;
  const std::size_t length = count == 0 ? 0 : bytes.size() / count;
  for (std::size_t i = 0; length > 0 && i < count; ++i)
    texts.push_back(leading_text(std::string_view(bytes).substr(i * length, length)));
  return texts;
}

std::string stream_text(const OleFile& file, const std::string& name, std::int64_t size) {
  constexpr std::int64_t most = 1 << 16;
  std::string bytes;
  if (size <= most) bytes = file.stream(name).value_or("");
  std::string plain = fmt::format("({} bytes)", size);
  if (bytes.empty()) return plain;
  if (bytes.size() == 1) return std::to_string(static_cast<unsigned char>(bytes[0]));
  const bool zero = bytes.find_first_not_of('\0') == std::string::npos;
  if (zero && bytes.size() > 8) return fmt::format("({} bytes, all 0)", size);
  // Numbers can look like a few letters: short texts must be alone. After others anything may follow.
  const std::string text = leading_text(bytes);
  const bool alone = bytes.find_first_not_of('\0', std::min(text.size(), bytes.size())) == std::string::npos;
  const bool numbers = bytes.size() % 4 == 0 && bytes.size() <= 8;
  if (!numbers && text.size() >= (alone ? 2 : 8)) return alone ? text : text + " ...";
  if (bytes.size() % 4 == 0) return stream_numbers(bytes).value_or(plain);
  return plain;
}

/// The motors of the first image: names, units and places are three lists.
void add_motors(const OleFile& file, const std::string& where, HeaderFields& fields) {
  const auto axes =
      static_cast<std::size_t>(std::clamp(ole_integer(file, "PositionInfo/TotalAxis", where).value_or(0), 0, 1000));
  const auto names = text_table(file.stream("PositionInfo/AxisNames").value_or(""), axes),
             units = text_table(file.stream("PositionInfo/AxisUnits").value_or(""), axes);
  const auto places = ole_floats(file, "PositionInfo/MotorPositions", where);
  if (names.size() != axes || units.size() != axes || places.size() < axes) return;
  for (const char* list : {"PositionInfo/AxisNames", "PositionInfo/AxisUnits", "PositionInfo/MotorPositions"})
    fields.text(list);
  for (std::size_t i = 0; i < axes; ++i)
    if (!names[i].empty()) fields.add("PositionInfo/" + names[i], fmt::format("{} {}", places[i], units[i]));
}

constexpr KnownField geometry_fields[] = {{"ImageInfo/PixelSize", "pixel at the object", "um"},
                                          {"ImageInfo/Angles", "angles of the table", "deg"},
                                          {"ImageInfo/StoRADistance", "source to axis", "mm"},
                                          {"ImageInfo/DtoRADistance", "axis to detector", "mm"},
                                          {"ImageInfo/XrayGeometry", "geometry (1: cone, 2: parallel)"}};

void describe_xrm(const fs::path& path, FileInfo& info) {
  const OleFile file(path);
  HeaderFields fields = xrm_fields(file, path.string());
  fields.note_known(xrm_image_fields);
  fields.note_known(geometry_fields);
  fields.note_known(xrm_exposure_fields);
  fields.add_to(info);
}

}  // namespace

HeaderFields xrm_fields(const OleFile& file, const std::string& where) {
  HeaderFields fields(where);
  auto streams = file.streams("ImageData");
  // The machine's own settings, hundreds of them, come last.
  std::stable_partition(streams.begin(), streams.end(), [](const auto& s) { return !s.first.starts_with("Config"); });
  for (const auto& [name, bytes] : streams) {
    if (bytes <= 0) continue;
    try {
      fields.add(name, stream_text(file, name, bytes));
    } catch (const InputError&) {  // the images may be whole all the same
      fields.add(name, fmt::format("({} bytes, which cannot be read)", bytes));
    }
  }
  try {
    add_motors(file, where, fields);
  } catch (const InputError&) {  // damaged lists
  }
  return fields;
}

std::vector<float> ole_floats(const OleFile& file, const std::string& name, const std::string& where) {
  const auto bytes = file.stream(name);
  if (!bytes) return {};
  if (bytes->size() % 4 != 0)
    throw InputError(where, fmt::format("its stream {} has {} bytes", name, bytes->size()), "the file is damaged");
  const BinaryFields fields(*bytes, where);
  std::vector<float> values;
  for (std::size_t at = 0; at < bytes->size(); at += 4) values.push_back(fields.get<float>(at));
  return values;
}

std::optional<std::int32_t> ole_integer(const OleFile& file, const std::string& name, const std::string& where) {
  const auto bytes = file.stream(name);
  if (!bytes || bytes->size() < 4) return {};
  return BinaryFields(*bytes, where).get<std::int32_t>(0);
}

StackInfo xrm_info(const OleFile& file, const std::string& where) {
  const auto number = [&](const char* name) { return ole_integer(file, fmt::format("ImageInfo/{}", name), where); };
  const auto columns = number("ImageWidth"), rows = number("ImageHeight");
  if (!columns || !rows) throw InputError(where, "has no ImageInfo", "it is no file of Zeiss, or damaged");
  StackInfo info;
  info.columns = *columns;
  info.rows = *rows;
  // A scan that was stopped has fewer images than planned.
  info.images = number("ImagesTaken").value_or(number("NoOfImages").value_or(1));
  packed_bytes(info, SampleType::u8, where);
  const auto pixel = ole_floats(file, "ImageInfo/PixelSize", where);
  if (!pixel.empty() && pixel[0] > 0 && pixel[0] < 1e6f)
    info.pixel_mm = glm::dvec2(1e-3 * static_cast<double>(pixel[0]));
  return info;
}

std::unique_ptr<StackReader> open_xrm_reference(const fs::path& path) {
  const OleFile file(path);
  const auto image = file.stream("ReferenceData/Image");
  if (!image) return nullptr;
  const StackInfo info = xrm_info(file, path.string());
  const SampleType type = xrm_type(ole_integer(file, "ReferenceData/DataType", path.string()), path.string());
  if (static_cast<std::int64_t>(image->size()) / sample_bytes(type) < info.pixels()) return nullptr;
  return std::make_unique<XrmStack>(path, true);
}

VolumeFormat xrm_format() {
  VolumeFormat f;
  f.name = "xrm";
  f.title = "Zeiss XRM";
  f.extensions = {".txrm", ".xrm", ".txm"};
  f.recognizes = is_ole;
  f.open = [](const fs::path& path, const std::string&) { return std::make_unique<XrmStack>(path, false); };
  f.describe = describe_xrm;
  f.notes =
      "Xradia's OLE2 files; a .txm is a volume; tested on real `.txrm` and `.xrm` files, and on a `.txm` made from the "
      "description";
  return f;
}

}  // namespace backlit::formats
