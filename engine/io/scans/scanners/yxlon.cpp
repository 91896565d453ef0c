// YXLON's parameters of a scan, ScanParameter.xml or text, with images of 16 bits in a folder of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/header_fields.hpp"
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

/// What both kinds of parameters say. Images are like Nikon's, seen from the source, as TIGRE's reader has them; the
/// data check it.
struct Circle {
  Detector detector;
  double to_object = 0, to_detector = 0;
  std::vector<double> angles_deg;
  bool mirrored_columns = false, mirrored_rows = false;
  std::int64_t bits = 16;
  std::vector<std::string> notes{};
};

ScanFile finish(const fs::path& path, bool with_data, const HeaderFields& fields, Circle c) {
  const Images images = with_data ? find_images(path) : Images();
  const Detector& d = c.detector;
  Turntable table;
  table.center = {0, c.to_detector, 0};
  table.u = {c.mirrored_columns ? d.pixel_u : -d.pixel_u, 0, 0};
  table.v = {0, 0, c.mirrored_rows != images.bare ? d.pixel_v : -d.pixel_v};
  table.axis_point = {0, c.to_object, 0};
  const Trajectory trajectory = trajectory_of(table, std::move(c.angles_deg), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  file.notes = std::move(c.notes);
  if (with_data) {
    if (images.bare)
      set_bare_projections(file, images.files);
    else
      set_projection_files(file, images.files);
    set_open_beam(file, std::exp2(static_cast<double>(c.bits)) - 1);
  }
  fields.add_to(file);
  return file;
}

/// Adds a note for each of these numbers that is not 0: nothing says which way they count.
void note_unknown(const HeaderFields& fields, std::initializer_list<const char*> names, Circle& c) {
  for (const char* name : names)
    if (const auto value = HeaderFields(fields).number(name); value && *value != 0)
      c.notes.push_back(
          fmt::format("{} is {:g}, whose direction is not documented: not used; `center` find and backlit "
                      "calibrate find the axis",
                      name, *value));
}

/// ScanParameter.xml. Lengths are in pixels of PixelPitch.
ScanFile load_xml(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_xml(path);
  const auto type = fields.text("ScanTrajectory.xsi:type", "trajectory");
  if (type && *type != "CircleTrajectory")
    fields.fail("ScanTrajectory.xsi:type", fmt::format("'{}' is not read", *type), "circles are");
  Circle c;
  c.detector.columns = fields.require_count("ProjectionSize.Width", "columns of the images", 1 << 20, "px");
  c.detector.rows = fields.require_count("ProjectionSize.Height", "rows of the images", 1 << 20, "px");
  c.detector.pixel_u = fields.require_positive("PixelSize.Width", "width of a pixel", "mm");
  c.detector.pixel_v = fields.require_positive("PixelSize.Height", "height of a pixel", "mm");
  const double pitch = fields.require_positive("ScanTrajectory.PixelPitch", "unit of lengths", "mm");
  c.to_detector = fields.require_positive("ScanTrajectory.Fdd", "source to detector", "mm", pitch);
  c.to_object = fields.require_positive("ScanTrajectory.Fod", "source to axis", "mm", pitch);
  if (c.to_detector <= c.to_object) fields.fail("ScanTrajectory.Fdd", "the axis would be behind the detector");
  const std::int64_t views = fields.require_count("ScanTrajectory.NumberOfProjections", "views", 1'000'000);
  const double arc = fields.require("ScanTrajectory.Rotation", "arc", "deg");
  if (arc == 0 && views > 1) fields.fail("ScanTrajectory.Rotation", "all views would be the same");
  const double first = fields.number("ScanTrajectory.StartAngle", "first angle", "deg").value_or(0);
  c.angles_deg = equal_angles(views, -first, -arc);
  note_unknown(fields,
               {"ScanTrajectory.YoCenter", "DejustmentParameter.HorizontalDetectorOffset",
                "DejustmentParameter.VerticalDetectorOffset", "DejustmentParameter.DetectorTiltA",
                "DejustmentParameter.DetectorTiltB", "DejustmentParameter.DetectorTiltC"},
               c);
  const std::string flips = lower_case(fields.text("DetectorFlipDirections", "flips of the images").value_or("none"));
  const std::string turned =
      lower_case(fields.text("DetectorOrientation", "orientation of the images").value_or("original"));
  if (turned != "original")
    fields.fail("DetectorOrientation", fmt::format("'{}' is not read", turned), "turn the images round");
  c.mirrored_columns = flips.find("horizontal") != std::string::npos;
  c.mirrored_rows = flips.find("vertical") != std::string::npos;
  if (flips != "none" && !c.mirrored_columns && !c.mirrored_rows)
    c.notes.push_back(fmt::format("DetectorFlipDirections is '{}', which is not known: not used", flips));
  c.bits = fields.require_count("ProjectionBitdepth", "bits of a count", 16);
  return finish(path, with_data, fields, std::move(c));
}

/// Lines "value<tab>...<tab>name".
HeaderFields fields_of_text(const fs::path& path) {
  HeaderFields fields(path.string());
  const std::string text = read_small_text(path);
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    const std::size_t first = line.find('\t'), last = line.rfind('\t');
    if (first == std::string_view::npos) continue;
    fields.add(std::string(trimmed(line.substr(last + 1))), std::string(trimmed(line.substr(0, first))),
               fmt::format("line {}", lines.number()));
  }
  return fields;
}

/// The older parameters as text, of a square detector. The last view of the full turn is at the angle of the first.
ScanFile load_text(const fs::path& path, bool with_data) {
  HeaderFields fields = fields_of_text(path);
  Circle c;
  c.detector.columns = c.detector.rows =
      fields.require_count("Number of Detector Elements", "columns and rows of the images", 1 << 16, "px");
  const double binning = fields.number("Pixelbinning", "pixels in one").value_or(1);
  if (!(binning > 0)) fields.fail("Pixelbinning", "is not positive");
  c.detector.pixel_u = c.detector.pixel_v =
      fields.require_positive("2D-Pixel Size [mm]", "size of a pixel, before binning", "mm") * binning;
  c.to_detector = fields.require_positive("FDD [mm]", "source to detector", "mm");
  c.to_object = fields.require_positive("FOD [mm]", "source to axis", "mm");
  if (c.to_detector <= c.to_object) fields.fail("FDD [mm]", "the axis would be behind the detector");
  const std::int64_t views = fields.require_count("CT: Number of Projections", "views", 1'000'000);
  if (views < 2) fields.fail("CT: Number of Projections", "one view is no scan");
  c.angles_deg = equal_angles(views, 0, -360 * static_cast<double>(views) / static_cast<double>(views - 1));
  fields.note_fact("arc", "360 deg, the last view at the angle of the first", "as TIGRE's reader has it");
  note_unknown(fields, {"Center Offset [mm]"}, c);
  return finish(path, with_data, fields, std::move(c));
}

bool is_xml(std::string_view front) { return front.find("ConeBeamScanParameter") != std::string_view::npos; }

}  // namespace

ScanFormat yxlon_format() {
  ScanFormat f;
  f.name = "yxlon";
  f.title = "YXLON";
  f.extensions = {"scanparameter.xml"};
  f.recognizes = [](const FileFront& front) {
    return is_xml(front.bytes) || (front.bytes.find("FDD [mm]") != std::string::npos &&
                                   front.bytes.find("CT: Number of Projections") != std::string::npos);
  };
  f.load = [](const fs::path& path, bool with_data) {
    return is_xml(file_front(path).bytes) ? load_xml(path, with_data) : load_text(path, with_data);
  };
  f.notes =
      "ScanParameter.xml, or older parameters as text, with `.raw` or TIFF images in `Projections`; tested on files "
      "made "
      "from the description";
  return f;
}

}  // namespace backlit::formats
