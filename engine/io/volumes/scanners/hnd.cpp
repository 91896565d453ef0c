// Varian .hnd and .hnc: a header of 1024 or 512 bytes, then one image, packed as in .xim or as plain u16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/binary_fields.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/scanners/varian.hpp"
#include "io/volumes/scanners/varian_pixels.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t columns_at = 120, rows_at = 124, pixel_width_at = 352, pixel_height_at = 360;

bool is_packed(const fs::path& path) { return has_extension(path, {".hnd"}); }

StackInfo read_info(const BinaryFields& h) {
  StackInfo info;
  info.columns = h.get<std::int32_t>(columns_at);
  info.rows = h.get<std::int32_t>(rows_at);
  info.images = 1;
  info.format = "hnd";
  packed_bytes(info, SampleType::u8, h.where());
  const double width = h.get<double>(pixel_width_at), height = h.get<double>(pixel_height_at);
  if (width > 0 && height > 0 && width < 1e3 && height < 1e3) info.pixel_mm = glm::dvec2(width, height);
  return info;
}

class HndStack final : public StackReader {
 public:
  explicit HndStack(const fs::path& path) : where_(path.string()) {
    const std::string front = read_front(path, 512);
    info_ = read_info(BinaryFields(front, where_));
    info_.type = "u32";
    if (const auto bytes = static_cast<std::int64_t>(fs::file_size(path)); info_.pixels() > bytes)
      throw InputError(where_, fmt::format("{} bytes cannot hold {} x {} pixels", bytes, info_.columns, info_.rows),
                       "the file is cut off or its header is damaged");
  }
  const StackInfo& info() const override { return info_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    if (count == 0) return;
    const std::string bytes = read_front(where_, most_varian_bytes);
    const BinaryFields h(bytes, where_);
    const auto lengths = static_cast<std::size_t>((info_.rows - 1) * info_.columns / 4);
    const std::string_view table = h.text(1024, lengths);
    unpack_varian(table, h.text(1024 + lengths, bytes.size() - 1024 - lengths), info_.columns,
                  out.first(static_cast<std::size_t>(info_.pixels())), where_);
  }

 private:
  std::string where_;
  StackInfo info_;
};

std::unique_ptr<StackReader> open_hnd(const fs::path& path) {
  if (is_packed(path)) return std::make_unique<HndStack>(path);
  const std::string front = read_front(path, 512);
  RawLayout layout;
  layout.info = read_info(BinaryFields(front, path.string()));
  layout.samples = {SampleType::u16};
  layout.offset = 512;
  return make_raw_stack(open_bytes(path), layout, path.string());
}

/// The header as RTK's reader has it. Machines write distances and places in cm or in mm, and the header does not say
/// which; obi.cpp takes cm where SAD is below 300.
constexpr BinaryField hnd_fields[] = {
    {0, BinaryField::Type::text, {"FileType", "kind of file"}, 32},
    {32, BinaryField::Type::u32, {"FileLength"}},
    {44, BinaryField::Type::text, {"CreationDate", "date"}, 8},
    {52, BinaryField::Type::text, {"CreationTime", "time"}, 8},
    {60, BinaryField::Type::text, {"PatientID"}, 16},
    {76, BinaryField::Type::u32, {"PatientSer"}},
    {80, BinaryField::Type::text, {"SeriesID"}, 16},
    {96, BinaryField::Type::u32, {"SeriesSer"}},
    {100, BinaryField::Type::text, {"SliceID"}, 16},
    {116, BinaryField::Type::u32, {"SliceSer"}},
    {columns_at, BinaryField::Type::u32, {"SizeX", "columns", "px"}},
    {rows_at, BinaryField::Type::u32, {"SizeY", "rows", "px"}},
    {128, BinaryField::Type::f64, {"SliceZPos"}},
    {136, BinaryField::Type::text, {"Modality"}, 16},
    {152, BinaryField::Type::u32, {"Window"}},
    {156, BinaryField::Type::u32, {"Level"}},
    {160, BinaryField::Type::u32, {"PixelOffset"}},
    {164, BinaryField::Type::text, {"ImageType"}, 4},
    {168, BinaryField::Type::f64, {"GantryRtn", "angle of the gantry", "deg"}},
    {176, BinaryField::Type::f64, {"SAD", "source to axis", "cm or mm"}},
    {184, BinaryField::Type::f64, {"SFD", "source to detector", "cm or mm"}},
    {192, BinaryField::Type::f64, {"CollX1"}},
    {200, BinaryField::Type::f64, {"CollX2"}},
    {208, BinaryField::Type::f64, {"CollY1"}},
    {216, BinaryField::Type::f64, {"CollY2"}},
    {224, BinaryField::Type::f64, {"CollRtn"}},
    {232, BinaryField::Type::f64, {"FieldX"}},
    {240, BinaryField::Type::f64, {"FieldY"}},
    {248, BinaryField::Type::f64, {"BladeX1"}},
    {256, BinaryField::Type::f64, {"BladeX2"}},
    {264, BinaryField::Type::f64, {"BladeY1"}},
    {272, BinaryField::Type::f64, {"BladeY2"}},
    {280, BinaryField::Type::f64, {"IDUPosLng", "detector moved along the axis", "cm or mm"}},
    {288, BinaryField::Type::f64, {"IDUPosLat", "detector moved across", "cm or mm"}},
    {296, BinaryField::Type::f64, {"IDUPosVrt", "height of the detector", "cm or mm"}},
    {304, BinaryField::Type::f64, {"IDUPosRtn", "turn of the detector", "deg"}},
    {312, BinaryField::Type::f64, {"PatientSupportAngle", "turn of the couch", "deg"}},
    {320, BinaryField::Type::f64, {"TableTopEccentricAngle"}},
    {328, BinaryField::Type::f64, {"CouchVrt", "couch, vertical", "cm or mm"}},
    {336, BinaryField::Type::f64, {"CouchLng", "couch, longitudinal", "cm or mm"}},
    {344, BinaryField::Type::f64, {"CouchLat", "couch, lateral", "cm or mm"}},
    {pixel_width_at, BinaryField::Type::f64, {"IDUResolutionX", "width of a pixel", "mm"}},
    {pixel_height_at, BinaryField::Type::f64, {"IDUResolutionY", "height of a pixel", "mm"}},
    {368, BinaryField::Type::f64, {"ImageResolutionX"}},
    {376, BinaryField::Type::f64, {"ImageResolutionY"}},
    {384, BinaryField::Type::f64, {"Energy"}},
    {392, BinaryField::Type::f64, {"DoseRate"}},
    {400, BinaryField::Type::f64, {"XRayKV", "tube voltage", "kV"}},
    {408, BinaryField::Type::f64, {"XRayMA", "tube current", "mA"}},
    {416, BinaryField::Type::f64, {"MetersetExposure"}},
    {424, BinaryField::Type::f64, {"AcqAdjustment"}},
    {432, BinaryField::Type::f64, {"CTProjectionAngle", "angle of the source", "deg"}},
    {440, BinaryField::Type::f64, {"CTNormChamber", "chamber that monitors the beam", "counts"}},
    {448, BinaryField::Type::f64, {"GatingTimeTag"}},
    {456, BinaryField::Type::f64, {"Gating4DInfoX"}},
    {464, BinaryField::Type::f64, {"Gating4DInfoY"}},
    {472, BinaryField::Type::f64, {"Gating4DInfoZ"}},
    {480, BinaryField::Type::f64, {"Gating4DInfoTime"}},
};

}  // namespace

HndHeader read_hnd_header(const fs::path& path) {
  const std::string front = read_front(path, 512);
  const BinaryFields h(front, path.string());
  const StackInfo info = read_info(h);
  const auto number = [&](std::size_t at) {
    const double value = h.get<double>(at);
    if (!std::isfinite(value))
      throw InputError(h.where(), fmt::format("byte {}: no finite number", at), "it is damaged");
    return value;
  };
  if (!info.pixel_mm) throw InputError(h.where(), "has no pixel size", "the file is damaged");
  HndHeader found;
  found.columns = info.columns;
  found.rows = info.rows;
  found.pixel_u = info.pixel_mm->x;
  found.pixel_v = info.pixel_mm->y;
  found.to_axis = number(176);
  found.to_detector = number(184);
  found.along = number(280);
  found.lateral = number(288);
  found.angle = number(432);
  found.chamber = number(440);
  return found;
}

VolumeFormat hnd_format() {
  VolumeFormat f;
  f.name = "hnd";
  f.title = "Varian HND and HNC";
  f.extensions = {".hnd", ".hnc"};
  f.recognizes = [](const FileFront& front) {
    return has_extension(front.path, {".hnd", ".hnc"}) && front.bytes.size() >= 512;
  };
  f.open = [](const fs::path& path, const std::string&) { return open_hnd(path); };
  f.describe = [](const fs::path& path, FileInfo& info) {
    const std::string front = read_front(path, 512);
    HeaderFields::of_binary(BinaryFields(front, path.string()), hnd_fields).add_to(info);
  };
  f.notes = "one image a file; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
