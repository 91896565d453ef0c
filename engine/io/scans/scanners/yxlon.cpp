// YXLON ScanParameter.xml, with images of 16 bits in a folder of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/scans/scanners/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/scanners/turntable.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

struct Images {
  std::vector<fs::path> files;
  bool bare = false;  ///< .raw, whose first row is the lowest
};

Images find_images(const fs::path& header) {
  for (const char* name : {"Projections", "Projektionen", "."})
    for (const char* ending : {".raw", ".tif", ".tiff"})
      if (auto files = files_in(header.parent_path() / name, ending); !files.empty())
        return {std::move(files), std::string_view(ending) == ".raw"};
  throw InputError(header.string(), "no images in Projections or Projektionen beside it",
                   "put it into the folder of its scan");
}

/// Lengths are in pixels of PixelPitch. As TIGRE's reader has it; like Nikon's images seen from the source, which the
/// data check. Offsets are told and not used: nothing says which way they count.
ScanFile load_yxlon(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_xml(path);
  const auto type = fields.text("ScanTrajectory.xsi:type", "trajectory");
  if (type && *type != "CircleTrajectory")
    fields.fail("ScanTrajectory.xsi:type", fmt::format("'{}' is not read", *type), "circles are");
  Detector d;
  d.columns = fields.require_count("ProjectionSize.Width", "columns of the images", 1 << 20);
  d.rows = fields.require_count("ProjectionSize.Height", "rows of the images", 1 << 20);
  d.pixel_u = fields.require_positive("PixelSize.Width", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("PixelSize.Height", "height of a pixel", "mm");
  const double pitch = fields.require_positive("ScanTrajectory.PixelPitch", "unit of lengths", "mm");
  const double to_detector = fields.require_positive("ScanTrajectory.Fdd", "source to detector", "mm", pitch);
  const double to_object = fields.require_positive("ScanTrajectory.Fod", "source to axis", "mm", pitch);
  if (to_detector <= to_object) fields.fail("ScanTrajectory.Fdd", "the axis would be behind the detector");
  const std::int64_t views = fields.require_count("ScanTrajectory.NumberOfProjections", "views", 1'000'000);
  const double arc = fields.require("ScanTrajectory.Rotation", "arc", "deg");
  if (arc == 0 && views > 1) fields.fail("ScanTrajectory.Rotation", "all views would be the same");
  const double first = fields.number("ScanTrajectory.StartAngle", "first angle", "deg").value_or(0);

  std::vector<std::string> notes;
  for (const char* name : {"ScanTrajectory.YoCenter", "DejustmentParameter.HorizontalDetectorOffset",
                           "DejustmentParameter.VerticalDetectorOffset", "DejustmentParameter.DetectorTiltA",
                           "DejustmentParameter.DetectorTiltB", "DejustmentParameter.DetectorTiltC"})
    if (const auto value = HeaderFields(fields).number(name); value && *value != 0)
      notes.push_back(
          fmt::format("{} is {:g}, whose direction is not documented: not used; `center` find and backlit "
                      "calibrate find the axis",
                      name, *value));
  const std::string flips = lower_case(fields.text("DetectorFlipDirections", "flips of the images").value_or("none"));
  const std::string turned =
      lower_case(fields.text("DetectorOrientation", "orientation of the images").value_or("original"));
  if (turned != "original")
    fields.fail("DetectorOrientation", fmt::format("'{}' is not read", turned), "turn the images round");
  const Images images = with_data ? find_images(path) : Images();
  const double left = flips.find("horizontal") != std::string::npos ? 1 : -1;
  const double down = (flips.find("vertical") != std::string::npos) != images.bare ? 1 : -1;
  if (flips != "none" && left < 0 && flips.find("vertical") == std::string::npos)
    notes.push_back(fmt::format("DetectorFlipDirections is '{}', which is not known: not used", flips));

  Turntable table;
  table.center = {0, to_detector, 0};
  table.u = {left * d.pixel_u, 0, 0};
  table.v = {0, 0, down * d.pixel_v};
  table.axis_point = {0, to_object, 0};
  const Trajectory trajectory = trajectory_of(table, equal_angles(views, -first, -arc), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  file.notes = std::move(notes);
  const auto bits = fields.require_count("ProjectionBitdepth", "bits of a count", 16);
  if (with_data) {
    if (images.bare)
      set_bare_projections(file, images.files);
    else
      set_projection_files(file, images.files);
    set_open_beam(file, std::exp2(static_cast<double>(bits)) - 1);
  }
  fields.add_to(file);
  settle_turning_sense(file, d, trajectory);
  return file;
}

}  // namespace

ScanFormat yxlon_format() {
  ScanFormat f;
  f.name = "yxlon";
  f.title = "YXLON";
  f.extensions = {"scanparameter.xml"};
  f.recognizes = [](const FileFront& front) { return front.bytes.find("ConeBeamScanParameter") != std::string::npos; };
  f.load = load_yxlon;
  f.notes = "ScanParameter.xml with `.raw` or TIFF images in `Projections`; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
