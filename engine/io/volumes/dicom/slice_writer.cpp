#include "io/volumes/dicom/slice_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "io/dicom/data_set.hpp"
#include "io/dicom/element_writer.hpp"

namespace backlit::dicom {
namespace {

namespace fs = std::filesystem;

constexpr const char* ct_image = "1.2.840.10008.5.1.4.1.1.2";

/// How the values of a slice become 16-bit numbers.
struct Scale {
  double slope = 1, intercept = 0;
};

Scale scale_of(std::span<const float> image) {
  float least = std::numeric_limits<float>::infinity(), most = -least;
  bool whole = true;
  for (const float value : image) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
    whole = whole && value == std::nearbyint(value);
  }
  if (!(least <= most)) return {};
  if (whole && least >= -32768 && most <= 32767) return {};
  Scale scale;
  // What stands in the file has to be what is used here: 16 characters of it.
  scale.slope = std::stod(decimal((static_cast<double>(most) - static_cast<double>(least)) / 65534));
  if (!(scale.slope > 0)) scale.slope = std::max(1e-30, std::abs(static_cast<double>(most)) * 1e-6);
  scale.slope = std::stod(decimal(scale.slope));
  scale.intercept = std::stod(decimal(0.5 * (static_cast<double>(most) + static_cast<double>(least))));
  return scale;
}

std::vector<std::int16_t> stored(std::span<const float> image, const Scale& scale) {
  std::vector<std::int16_t> values(image.size());
  std::ranges::transform(image, values.begin(), [&](float v) {
    const double x = std::nearbyint((static_cast<double>(v) - scale.intercept) / scale.slope);
    return static_cast<std::int16_t>(std::isfinite(x) ? std::clamp(x, -32768.0, 32767.0) : -32768.0);
  });
  return values;
}

}  // namespace

bool is_slice_name(const fs::path& name) {
  const std::string stem = name.stem().string();
  return name.extension() == ".dcm" && stem.size() >= 4 && stem.find_first_not_of("0123456789") == std::string::npos;
}

SliceWriter::SliceWriter(const fs::path& path, const VolumeGrid& grid)
    : StackWriter(path.string(), grid.size),
      folder_(path, is_slice_name),
      grid_(grid),
      study_(new_uid()),
      series_(new_uid()),
      frame_(new_uid()) {
  if (grid.size[0] > 65535 || grid.size[1] > 65535)
    throw InputError(path.string(), "slices of DICOM have at most 65535 rows and columns", "use another format");
}

void SliceWriter::put(std::int64_t first, std::int64_t count, std::span<const float> images) {
  const auto pixels = static_cast<std::size_t>(size()[0] * size()[1]);
  parallel_for(count, [&](std::int64_t i) {
    write_slice(first + i, images.subspan(static_cast<std::size_t>(i) * pixels, pixels));
  });
}

void SliceWriter::write_slice(std::int64_t index, std::span<const float> image) const {
  const Scale scale = scale_of(image);
  const std::string uid = new_uid();
  const Vec3 place = grid_.voxel_center(0, 0, static_cast<double>(index));
  ElementWriter w(ct_image, uid);
  w.text(0x00080008, "CS", "ORIGINAL\\PRIMARY\\AXIAL");
  w.text(0x00080016, "UI", ct_image);
  w.text(0x00080018, "UI", uid);
  w.text(0x00080020, "DA", "");
  w.text(0x00080030, "TM", "");
  w.text(0x00080050, "SH", "");
  w.text(tags::modality, "CS", "CT");
  w.text(tags::manufacturer, "LO", "Backlit");
  w.text(0x00080090, "PN", "");
  w.text(0x00100010, "PN", "");
  w.text(0x00100020, "LO", "");
  w.text(0x00100030, "DA", "");
  w.text(0x00100040, "CS", "");
  w.text(tags::thickness, "DS", decimal(grid_.spacing.z));
  w.text(0x00180060, "DS", "");
  w.text(0x00185100, "CS", "HFS");
  w.text(0x0020000d, "UI", study_);
  w.text(tags::series_uid, "UI", series_);
  w.text(0x00200010, "SH", "");
  w.text(tags::series_number, "IS", "1");
  w.text(0x00200012, "IS", "");
  w.text(tags::instance_number, "IS", std::to_string(index + 1));
  w.text(tags::position, "DS", fmt::format("{}\\{}\\{}", decimal(place.x), decimal(place.y), decimal(place.z)));
  w.text(tags::orientation, "DS", "1\\0\\0\\0\\1\\0");
  w.text(0x00200052, "UI", frame_);
  w.text(0x00200060, "CS", "");
  w.text(0x00201040, "LO", "");
  w.number(tags::samples_per_pixel, 1);
  w.text(0x00280004, "CS", "MONOCHROME2");
  w.number(tags::rows, static_cast<std::uint16_t>(grid_.size[1]));
  w.number(tags::columns, static_cast<std::uint16_t>(grid_.size[0]));
  w.text(tags::spacing, "DS", fmt::format("{}\\{}", decimal(grid_.spacing.y), decimal(grid_.spacing.x)));
  w.number(tags::bits_allocated, 16);
  w.number(tags::bits_stored, 16);
  w.number(0x00280102, 15);
  w.number(tags::is_signed, 1);
  w.text(tags::intercept, "DS", decimal(scale.intercept));
  w.text(tags::slope, "DS", decimal(scale.slope));
  const std::vector<std::int16_t> values = stored(image, scale);
  w.pixels(std::as_bytes(std::span(values)));
  w.save(folder_.path() / fmt::format("{:04}.dcm", index + 1));
}

}  // namespace backlit::dicom
