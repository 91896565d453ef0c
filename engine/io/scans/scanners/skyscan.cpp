// Bruker (SkyScan) .log: an INI file beside 16-bit TIFF images that are flat-field corrected already.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/scanners/turntable.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

bool is(const std::optional<std::string>& value, std::string_view word) {
  return value && lower_case(*value).starts_with(word);
}

/// The file's pixel size at the object includes binning, the camera's own pixel size does not.
void read_pixels(HeaderFields& fields, Detector& d, double magnification) {
  const double at_object = fields.require_positive("Image Pixel Size (um)", "pixel at the object", "um");
  d.pixel_u = d.pixel_v = 1e-3 * at_object * magnification;
  const bool corrected = is(fields.text("Geometrical Correction", "geometrical correction"), "on");
  auto ratio = fields.number("Camera X/Y Ratio", "height of a pixel over its width");
  if (!ratio) ratio = fields.number("CameraXYRatio", "height of a pixel over its width");
  if (ratio && !(*ratio > 0.5 && *ratio < 2))
    throw InputError(fields.file(), fmt::format("the camera's X/Y ratio is {}", *ratio), "the file is damaged");
  if (!corrected) d.pixel_v *= ratio.value_or(1);
  fields.note_fact("pixels of the detector", fmt::format("{:.6g} x {:.6g} mm", d.pixel_u, d.pixel_v),
                   corrected ? "pixel at the object times magnification; the images' ratio is corrected"
                             : "pixel at the object times magnification, and the ratio");
}

double open_beam(HeaderFields& fields) {
  if (fields.has("Reference Intensity"))
    return fields.require_positive("Reference Intensity", "counts of the open beam");
  const std::int64_t bits =
      fields.has("Depth (bits)") ? fields.require_count("Depth (bits)", "bits of a count", 16) : 16;
  const double most = std::exp2(static_cast<double>(bits)) - 1;
  fields.note_fact("counts of the open beam", with_unit(most, ""), "the most that these bits hold");
  return most;
}

/// NRecon's tables of how far each image moved, beside the log.
std::vector<std::string> shift_tables(const fs::path& log, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (has_extension(entry.path(), {"_2dtransform.csv"}) &&
        (name.starts_with(prefix) || name.starts_with(log.stem().string())))
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

/// Conventions as in TIGRE's reader, with its frame upside down so that the images' first row is at the top. Seen from
/// the source the first column is on the right. "CC" turns the source clockwise round the object, seen from above. The
/// optical axis is counted from the bottom.
ScanFile load_skyscan(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_ini(path);
  Detector d;
  d.columns = fields.require_count("Number of Columns", "columns of the images", 1 << 20, "px");
  d.rows = fields.require_count("Number of Rows", "rows of the images", 1 << 20, "px");
  const double to_object = fields.require_positive("Object to Source (mm)", "source to axis", "mm");
  const double to_camera = fields.require_positive("Camera to Source (mm)", "source to detector", "mm");
  if (to_camera <= to_object) fields.fail("Camera to Source (mm)", "the axis would be behind the detector");
  read_pixels(fields, d, to_camera / to_object);
  const std::int64_t views = fields.require_count("Number of Files", "views", 1'000'000);
  const double step = fields.require_positive("Rotation Step (deg)", "step between views", "deg");
  const bool clockwise = is(fields.text("Rotation Direction", "rotation direction"), "cw");

  Turntable table;
  table.center = {0, to_camera, 0};
  if (const auto line = fields.number("Optical Axis (line)", "row in the plane of the source, from the bottom", "px")) {
    const double row = static_cast<double>(d.rows - 1) - *line;
    if (row >= 0 && *line >= 0) table.center.z = (row - d.middle_row()) * d.pixel_v;
  }
  table.u = {-d.pixel_u, 0, 0};
  table.v = {0, 0, -d.pixel_v};
  table.axis_point = {0, to_object, 0};
  std::vector<double> angles;
  for (std::int64_t i = 0; i < views; ++i) angles.push_back((clockwise ? step : -step) * static_cast<double>(i));
  const Trajectory trajectory = trajectory_of(table, std::move(angles), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  file.notes.emplace_back(
      "the log does not say where the axis is: the middle column is taken; `center` find searches it");

  const std::string prefix = fields.text("Filename Prefix", "prefix of the images").value_or(path.stem().string());
  const double white = open_beam(fields);
  if (is(fields.text("Flat Field Correction"), "off"))
    file.notes.emplace_back("the log says that the images are not flat-field corrected: expect rings");
  if (const auto parts = fields.number("Number of connected scans", "connected scans"); parts && *parts > 1)
    file.notes.push_back(fmt::format("one of {:g} connected scans: this one alone is read", *parts));
  if (with_data) {
    const fs::path folder = path.parent_path();
    set_projection_files(file, numbered_images(path, {{folder, prefix}, {folder, path.stem().string()}}));
    set_open_beam(file, white);
  }
  fields.add_to(file);
  for (const std::string& name : shift_tables(path, prefix))
    file.unused.push_back(fmt::format("{} = (a file: shifts of single images)", name));
  return file;
}

}  // namespace

ScanFormat skyscan_format() {
  ScanFormat f;
  f.name = "skyscan";
  f.title = "Bruker SkyScan log";
  f.extensions = {".log"};
  f.recognizes = [](const FileFront& front) {
    const std::string text = lower_case(front.bytes);
    // NRecon writes a copy of the scan's log, with its own settings added, beside its slices.
    return text.find("[acquisition]") != std::string::npos && text.find("object to source (mm)") != std::string::npos &&
           !has_extension(front.path, {"_rec.log"});
  };
  f.load = load_skyscan;
  f.notes = "beside its TIFF images; the axis is taken in the middle; tested on real logs, with simulated images";
  return f;
}

}  // namespace backlit::formats
