// Waygate (GE) phoenix .pca: an INI file beside numbered 16-bit TIFF images.
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/scanners/turntable.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

bool is_on(HeaderFields& fields, std::string_view name) { return fields.number(name).value_or(0) != 0; }

/// The column of the axis. cx counts columns of the whole panel; the images are a part of the panel.
double axis_column(HeaderFields& fields, const Detector& d) {
  const auto cx = fields.number("Geometry.cx", "column of the axis on the panel", "px");
  if (!cx) return d.middle_column();
  const double left = fields.number("Image.Left").value_or(0), right = fields.number("Image.Right").value_or(-1);
  // Images that are narrower than their region lack the same number of columns on both sides.
  const double cut = right > left ? 0.5 * (right - left + 1 - static_cast<double>(d.columns)) : 0;
  return *cx - left - cut;
}

/// No documentation gives the position of the first pixel and the direction of rotation. Both are assumed as Nikon's,
/// and the data check the direction.
ScanFile load_phoenix(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_ini(path);
  Detector d;
  d.columns = fields.require_count("Image.DimX", "columns of the images", 1 << 20, "px");
  d.rows = fields.require_count("Image.DimY", "rows of the images", 1 << 20, "px");
  const double to_detector = fields.require_positive("Geometry.FDD", "source to detector", "mm");
  const double to_object = fields.require_positive("Geometry.FOD", "source to axis", "mm");
  if (to_detector <= to_object) fields.fail("Geometry.FDD", "the axis would be behind the detector");
  if (fields.has("Geometry.VoxelSizeX")) {
    // Binned and corrected: the panel's own pixels may be smaller.
    const double voxel = fields.require_positive("Geometry.VoxelSizeX", "pixel at the object", "mm");
    d.pixel_u = d.pixel_v = voxel * to_detector / to_object;
    fields.note_fact("pixels of the detector", with_unit(d.pixel_u, "mm"), "pixel at the object times magnification");
  } else {
    d.pixel_u = fields.require_positive("Detector.PixelsizeX", "width of a pixel", "mm");
    d.pixel_v = fields.require_positive("Detector.PixelsizeY", "height of a pixel", "mm");
  }
  const std::int64_t views = fields.require_count("CT.NumberImages", "views", 1'000'000);
  const double arc = fields.number("CT.RotationSector", "arc", "deg").value_or(360);
  if (arc == 0 && views > 1) fields.fail("CT.RotationSector", "all views would be the same");
  Turntable table;
  table.u = {-d.pixel_u, 0, 0};
  table.v = {0, 0, -d.pixel_v};
  table.center = {0, to_detector, 0};
  const double offset = (axis_column(fields, d) - d.middle_column()) * d.pixel_u;  // mm on the detector, to the left
  if (std::abs(offset) > static_cast<double>(d.columns) * d.pixel_u)
    fields.fail("Geometry.cx", "the axis would be far off the detector");
  table.axis_point = {-offset * to_object / to_detector, to_object, 0};
  const Trajectory trajectory = trajectory_of(table, equal_angles(views, 0, arc), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  if (is_on(fields, "DetectorShift.Enable"))
    file.notes.emplace_back(
        "the detector was shifted from view to view ([DetectorShift]); by how much the file does not "
        "say: the images must be corrected for it");
  const double white =
      fields.has("Image.FreeRay") ? fields.require_positive("Image.FreeRay", "counts of the open beam") : 0;
  if (with_data) {
    const fs::path folder = path.parent_path();
    const std::string name = path.stem().string();
    auto images = numbered_images(path, {{folder, name}, {folder, name + "_"}});
    // One image more than there are views closes the turn, at 0 degrees.
    if (static_cast<std::int64_t>(images.size()) == views + 1) images.pop_back();
    set_projection_files(file, std::move(images));
    if (white > 0)
      set_open_beam(file, white);
    else
      file.kind = ScanFile::Kind::counts;
    if (white <= 0)
      file.notes.emplace_back(
          "the file gives no FreeRay: the brightest one per cent of each view stands in for the open beam");
  }
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat phoenix_format() {
  ScanFormat f;
  f.name = "phoenix";
  f.title = "Waygate phoenix";
  f.extensions = {".pca"};
  f.recognizes = [](const FileFront& front) {
    const std::string text = lower_case(front.bytes);
    return has_extension(front.path, {".pca"}) && text.find("[geometry]") != std::string::npos &&
           text.find("fdd=") != std::string::npos;
  };
  f.load = load_phoenix;
  f.notes = "beside its TIFF images; tested on files made from a header";
  return f;
}

}  // namespace backlit::formats
