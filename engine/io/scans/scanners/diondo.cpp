// Diondo: an XML file beside a folder Projection of bare images of 16 bits.
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/byte_source.hpp"
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/scanners/turntable.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// As TIGRE's reader has it: a full turn, the images seen from the source like Nikon's, which the data check. The
/// offset of the axis is told and not used: nothing says which way it counts.
ScanFile load_diondo(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_xml(path);
  for (const char* mode : {"ScanParameter.HelixMode", "ScanParameter.Laminography"})
    if (lower_case(fields.text(mode).value_or("false")) == "true")
      fields.fail(mode, "such scans are not read", "write a .scan.toml with their geometry");
  Detector d;
  d.columns = fields.require_count("Recon.ProjectionDimX", "columns of the images", 1 << 20, "px");
  d.rows = fields.require_count("Recon.ProjectionDimY", "rows of the images", 1 << 20, "px");
  d.pixel_u = fields.require_positive("Recon.ProjectionPixelSizeX", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("Recon.ProjectionPixelSizeY", "height of a pixel", "mm");
  const double to_detector = fields.require_positive("Geometrie.SourceDetectorDist", "source to detector", "mm");
  const double to_object = fields.require_positive("Geometrie.SourceObjectDist", "source to axis", "mm");
  if (to_detector <= to_object) fields.fail("Geometrie.SourceDetectorDist", "the axis would be behind the detector");
  const std::int64_t views = fields.require_count("Recon.ProjectionCount", "views", 1'000'000);

  Turntable table;
  table.center = {0, to_detector, 0};
  table.u = {-d.pixel_u, 0, 0};
  table.v = {0, 0, -d.pixel_v};
  table.axis_point = {0, to_object, 0};
  const Trajectory trajectory = trajectory_of(table, equal_angles(views, 0, -360), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  if (const auto offset = HeaderFields(fields).number("Recon.ProjectionCenterOffsetX"); offset && *offset != 0)
    file.notes.push_back(
        fmt::format("ProjectionCenterOffsetX is {:g} mm, whose direction is not documented: not used; "
                    "`center` find searches the axis",
                    *offset));
  if (with_data) {
    auto images = files_in(path.parent_path() / "Projection", ".raw");
    if (images.empty())
      throw InputError(path.string(), "no .raw images in Projection beside it", "put it into the folder of its scan");
    set_bare_projections(file, std::move(images));
    set_open_beam(file, 65535);
  }
  fields.note_fact("counts of the open beam", "65535", "the most that 16 bits hold");
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat diondo_format() {
  ScanFormat f;
  f.name = "diondo";
  f.title = "Diondo";
  f.extensions = {".xml"};
  f.recognizes = [](const FileFront& front) {
    if (!has_extension(front.path, {".xml"}) || front.bytes.find('<') == std::string::npos) return false;
    const std::string text = read_front(front.path, std::size_t{1} << 16);  // the part of the geometry comes late
    return text.find("<ProjectionDimX>") != std::string::npos && text.find("<SourceDetectorDist>") != std::string::npos;
  };
  f.load = load_diondo;
  f.notes = "an `.xml` with `.raw` images in `Projection`; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
