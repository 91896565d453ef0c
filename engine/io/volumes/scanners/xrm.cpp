// Zeiss (Xradia) .txrm, .xrm and .txm: OLE2 files with one stream for each image.
#include "io/volumes/scanners/xrm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
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

}  // namespace

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
  f.notes = "Xradia's OLE2 files; a .txm is a volume";
  return f;
}

}  // namespace backlit::formats
