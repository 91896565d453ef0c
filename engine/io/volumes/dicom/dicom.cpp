// DICOM: CT slices, and others like them, one a file; a folder is a volume.
#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/atomic_folder.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/dicom/ct_pd.hpp"
#include "io/dicom/data_set.hpp"
#include "io/header_fields.hpp"
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

/// An element that a user may want to see, with the unit that DICOM gives it (PS3.3, CT Image).
struct KnownElement {
  dicom::Tag tag;
  char binary;  ///< as in DataSet::numbers(); 't': a text
  KnownField known;
};

constexpr KnownElement known_elements[] = {
    {dicom::tags::modality, 't', {"Modality", "modality"}},
    {dicom::tags::manufacturer, 't', {"Manufacturer", "manufacturer"}},
    {0x00081090, 't', {"ManufacturerModelName", "scanner"}},
    {dicom::tags::thickness, 't', {"SliceThickness", "thickness of a slice", "mm"}},
    {0x00180060, 't', {"KVP", "tube voltage", "kV"}},
    {0x00180088, 't', {"SpacingBetweenSlices", "spacing of slices", "mm"}},
    {0x00180090, 't', {"DataCollectionDiameter", "diameter that was measured", "mm"}},
    {0x00181100, 't', {"ReconstructionDiameter", "diameter of the image", "mm"}},
    {0x00181110, 't', {"DistanceSourceToDetector", "source to detector", "mm"}},
    {0x00181111, 't', {"DistanceSourceToPatient", "source to axis", "mm"}},
    {0x00181120, 't', {"GantryDetectorTilt", "tilt of the gantry", "deg"}},
    {0x00181130, 't', {"TableHeight", "height of the table", "mm"}},
    {0x00181150, 't', {"ExposureTime", "exposure", "ms"}},
    {0x00181151, 't', {"XRayTubeCurrent", "tube current", "mA"}},
    {0x00181152, 't', {"Exposure", "tube current times exposure", "mAs"}},
    {0x00181160, 't', {"FilterType", "filter in the beam"}},
    {0x00181170, 't', {"GeneratorPower", "power of the tube", "kW"}},
    {0x00181190, 't', {"FocalSpots", "focal spot", "mm"}},
    {0x00181210, 't', {"ConvolutionKernel", "kernel of the reconstruction"}},
    {0x00189306, 'd', {"SingleCollimationWidth", "collimation of a row", "mm"}},
    {0x00189307, 'd', {"TotalCollimationWidth", "collimation of all rows", "mm"}},
    {0x00189311, 'd', {"SpiralPitchFactor", "pitch over collimation"}},
    {0x00189345, 'd', {"CTDIvol", "dose index", "mGy"}},
    {dicom::tags::series_number, 't', {"SeriesNumber", "series"}},
    {dicom::tags::instance_number, 't', {"InstanceNumber", "number of the image"}},
    {dicom::tags::position, 't', {"ImagePositionPatient", "first pixel", "mm"}},
    {dicom::tags::orientation, 't', {"ImageOrientationPatient", "directions of rows and columns"}},
    {0x00201041, 't', {"SliceLocation", "place of the slice", "mm"}},
    {dicom::tags::rows, 'u', {"Rows", "rows", "px"}},
    {dicom::tags::columns, 'u', {"Columns", "columns", "px"}},
    {dicom::tags::spacing, 't', {"PixelSpacing", "height and width of a pixel", "mm"}},
    {dicom::tags::bits_allocated, 'u', {"BitsAllocated", "bits a pixel takes"}},
    {dicom::tags::bits_stored, 'u', {"BitsStored", "bits of a value"}},
    {0x00281050, 't', {"WindowCenter", "middle of the window", "HU"}},
    {0x00281051, 't', {"WindowWidth", "width of the window", "HU"}},
    {dicom::tags::intercept, 't', {"RescaleIntercept", "value of 0", "HU"}},
    {dicom::tags::slope, 't', {"RescaleSlope", "value of a step", "HU"}},
};

std::string element_text(const dicom::DataSet& set, const KnownElement& element) {
  std::string text;
  if (element.binary == 't') {
    text = set.text(element.tag);
    std::ranges::replace(text, '\\', ' ');
  } else {
    for (const double value : set.numbers(element.tag, element.binary)) text += with_unit(value, "") + " ";
  }
  return text;
}

/// Of a folder, the first file in the order of names.
void describe_dicom(const fs::path& path, FileInfo& info) {
  std::error_code error;
  const fs::path file = fs::is_directory(path, error) ? dicom::dicom_files(path).at(0) : path;
  const dicom::DataSet set(file);
  if (set.pixel_offset() >= 0) dicom::pixel_format(set);  // so that its fields count as used
  HeaderFields fields(file.string());
  for (const KnownElement& element : known_elements) {
    if (!set.has(element.tag)) continue;
    if (std::string text = element_text(set, element); !text.empty())
      fields.add(std::string(element.known.name), std::move(text), dicom::tag_text(element.tag));
    fields.note_known({&element.known, 1});
  }
  fields.add_to(info);
  for (std::string& field : set.unused()) info.unused.push_back(std::move(field));
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
  f.describe = describe_dicom;
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
