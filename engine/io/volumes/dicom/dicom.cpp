// DICOM: CT slices, and others like them, one a file; a folder is a volume.
#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/atomic_folder.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/dicom/ct_pd.hpp"
#include "io/dicom/data_set.hpp"
#include "io/volumes/dicom/slice_writer.hpp"
#include "io/volumes/dicom/slices.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

class DicomStack final : public StackReader {
 public:
  DicomStack(dicom::Series series, const std::string& where) : where_(where), series_(std::move(series)) {
    const dicom::Slice& first = series_.slices.front();
    info_.columns = first.pixels.columns;
    info_.rows = first.pixels.rows;
    info_.images = static_cast<std::int64_t>(series_.slices.size());
    info_.type = fmt::format("{}{}", first.pixels.is_signed ? "i" : "u", first.pixels.bits_allocated);
    info_.format = "dicom";
    if (!series_.has_place) return;
    // Rows and columns may run against x and y: they are turned round.
    reversed_x_ = first.orientation[0] < 0;
    reversed_y_ = first.orientation[4] < 0;
    const double thickness = series_.thickness > 0 ? series_.thickness : 1;
    info_.spacing = Vec3(first.spacing[1], first.spacing[0], thickness);
    const Vec3 corner(first.position[0], first.position[1], first.position[2]);
    const Vec3 along(reversed_x_ ? -1 : 1, reversed_y_ ? -1 : 1, 1);
    const Vec3 steps(info_.columns - 1, info_.rows - 1, info_.images - 1);
    info_.center = corner + 0.5 * along * steps * *info_.spacing;
  }
  const StackInfo& info() const override { return info_; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    for (std::int64_t i = 0; i < count; ++i) {
      const dicom::Slice& slice = series_.slices[static_cast<std::size_t>(first + i)];
      const auto image = out.subspan(static_cast<std::size_t>(i) * pixels, pixels);
      dicom::read_pixels(slice.file, slice.offset, slice.pixels, image);
      turn(image);
    }
  }
  /// Values are rescaled, and no counts.
  bool read_counts(std::int64_t, std::int64_t, std::span<std::uint16_t>) override { return false; }

 private:
  void turn(std::span<float> image) const {
    const auto columns = static_cast<std::size_t>(info_.columns), rows = static_cast<std::size_t>(info_.rows);
    if (reversed_x_)
      for (std::size_t r = 0; r < rows; ++r) std::ranges::reverse(image.subspan(r * columns, columns));
    if (reversed_y_)
      for (std::size_t r = 0; r < rows / 2; ++r)
        std::swap_ranges(image.begin() + static_cast<std::ptrdiff_t>(r * columns),
                         image.begin() + static_cast<std::ptrdiff_t>((r + 1) * columns),
                         image.begin() + static_cast<std::ptrdiff_t>((rows - 1 - r) * columns));
  }

  std::string where_;
  dicom::Series series_;
  StackInfo info_;
  bool reversed_x_ = false, reversed_y_ = false;
};

std::unique_ptr<StackReader> open_dicom(const fs::path& path, const std::string& data_set) {
  std::error_code error;
  std::vector<fs::path> files{path};
  if (fs::is_directory(path, error)) files = dicom::dicom_files(path);
  const std::string number = data_set.starts_with('/') ? data_set.substr(1) : data_set;
  return std::make_unique<DicomStack>(dicom::series_of(files, number, path.string()), path.string());
}

bool is_dicom_volume(const FileFront& front) {
  if (!front.bytes.empty()) return dicom::is_dicom(front.bytes);
  const auto file = dicom::a_dicom_file(front.path);
  return file && !dicom::is_ct_pd(*file);
}

}  // namespace

VolumeFormat dicom_format() {
  VolumeFormat f;
  f.name = "dicom";
  f.title = "DICOM";
  f.extensions = {".dcm", ".dicom", ".ima"};
  f.saved_as = {".dicom"};
  f.folders = true;
  f.recognizes = is_dicom_volume;
  f.open = open_dicom;
  f.has_data_sets = true;
  f.create = [](const fs::path& path, const VolumeGrid& grid) {
    return std::make_unique<dicom::SliceWriter>(path, grid);
  };
  f.check_replaceable = [](const fs::path& path) { AtomicFolder::check_replaceable(path, dicom::is_slice_name); };
  f.keeps_grid = true;
  f.holds_hounsfield = true;
  f.notes =
      "a folder of axial slices, one series of it (`folder:/SERIES NUMBER`), values in HU; not compressed; written as "
      "CT "
      "images of 16 bits";
  return f;
}

}  // namespace backlit::formats
