// Zeiss (Xradia) .txrm: projections with angles and distances, and with a shift of each image where the stage drifted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/stack_source.hpp>
#include "io/header_fields.hpp"
#include "io/scans/directions.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/scanners/turntable.hpp"
#include "io/volumes/scanners/xrm.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

struct Content {
  std::string where;
  StackInfo info;
  std::vector<float> angles, to_source, to_detector, shifts_x, shifts_y;
  bool cone = false;
  bool named = false;  ///< the file says whether the beam is a cone
};

bool distance_is_known(const OleFile& file, const std::string& where) {
  return std::ranges::any_of(ole_floats(file, "ImageInfo/StoRADistance", where), [](float mm) { return mm != 0; });
}

Content read_content(const OleFile& file, const std::string& where, HeaderFields& fields) {
  Content c{where, xrm_info(file, where), {}, {}, {}, {}, {}};
  const auto count = static_cast<std::size_t>(c.info.images);
  fields.note_known(xrm_image_fields);
  for (const char* name :
       {"ImageInfo/PixelSize", "ImageInfo/XrayGeometry", "ReferenceData/Image", "ReferenceData/DataType"})
    fields.text(name);
  const auto list = [&](const char* name, bool needed) {
    std::vector<float> values = ole_floats(file, name, where);
    fields.text(name);
    if (!needed && values.empty()) return values;
    if (values.size() < count)
      throw InputError(where, fmt::format("its stream {} holds {} numbers for {} images", name, values.size(), count),
                       "the file is cut off or damaged");
    values.resize(count);
    for (const float value : values)
      if (!std::isfinite(value)) throw InputError(where, fmt::format("its stream {} holds {}", name, value));
    return values;
  };
  c.angles = list("ImageInfo/Angles", true);
  const auto geometry = ole_integer(file, "ImageInfo/XrayGeometry", where);
  c.named = geometry.has_value();
  c.cone = geometry == 1;
  if (!c.named && distance_is_known(file, where))
    throw InputError(where, "gives distances, but not whether the beam is a cone: it has no stream XrayGeometry",
                     "write a .scan.toml with the geometry, and this file as its images");
  if (c.cone) {
    c.to_source = list("ImageInfo/StoRADistance", true);
    c.to_detector = list("ImageInfo/DtoRADistance", true);
  }
  c.shifts_x = list("Alignment/X-Shifts", false);
  c.shifts_y = list("Alignment/Y-Shifts", false);
  return c;
}

bool moves(const std::vector<float>& shifts) {
  return std::ranges::any_of(shifts, [](float s) { return s != 0; });
}

/// Applies the shifts, which move an image to its place, in pixels. `name`: of the file.
void apply_shifts(ScanFile& file, const Content& c, const std::string& name) {
  if (!moves(c.shifts_x) && !moves(c.shifts_y)) return;
  for (std::size_t i = 0; i < file.scan.views.size(); ++i) {
    View& view = file.scan.views[i];
    if (!c.shifts_x.empty()) view.center += static_cast<double>(c.shifts_x[i]) * view.u;
    if (!c.shifts_y.empty()) view.center += static_cast<double>(c.shifts_y[i]) * view.v;
  }
  file.scan.check(c.where.c_str());
  set_geometry_text(file);
  file.projections = std::make_shared<PlacedViews>(file.projections, file.scan);
  for (const auto& [shifts, along, stream] :
       {std::tuple(&c.shifts_x, "columns", "X-Shifts"), std::tuple(&c.shifts_y, "rows", "Y-Shifts")}) {
    if (!moves(*shifts)) continue;
    const auto [least, most] = std::ranges::minmax(*shifts);
    file.facts.push_back({fmt::format("shifts of the images along {}", along),
                          fmt::format("{:.3g} to {:.3g} px", least, most),
                          fmt::format("{}, Alignment/{}", name, stream)});
  }
}

/// Conventions as in CIL's reader. Seen from the source the first pixel is at the bottom left. Angles turn the source
/// clockwise, seen from above.
ScanFile load_xrm(const fs::path& path, bool) {
  const OleFile ole(path);
  HeaderFields fields = xrm_fields(ole, path.string());
  const Content c = read_content(ole, path.string(), fields);
  const std::string name = path.filename().string();
  Detector d;
  d.columns = c.info.columns;
  d.rows = c.info.rows;
  if (!c.info.pixel_mm) throw InputError(c.where, "has no pixel size", "write a .scan.toml with [detector] pixel_mm");
  Turntable table;
  double magnification = 1;
  if (c.cone) {
    const double source = std::abs(static_cast<double>(c.to_source[0])),
                 detector = std::abs(static_cast<double>(c.to_detector[0]));
    if (!(source > 0) || !(detector > 0))
      throw InputError(c.where, "its distances are 0", "write a .scan.toml with the distances");
    fields.note_fact("source to axis", with_unit(source, "mm"), name + ", ImageInfo/StoRADistance");
    fields.note_fact("axis to detector", with_unit(detector, "mm"), name + ", ImageInfo/DtoRADistance");
    magnification = (source + detector) / source;
    table.axis_point = {0, source, 0};
    table.center = {0, source + detector, 0};
  } else {
    table.beam = Beam::parallel;
    table.direction = {0, 1, 0};
  }
  d.pixel_u = d.pixel_v = c.info.pixel_mm->x * magnification;
  fields.note_fact("beam", c.cone ? "cone" : "parallel",
                   c.named ? name + ", ImageInfo/XrayGeometry" : std::string("assumed: the file does not say"));
  fields.note_fact("pixel at the object", with_unit(1e3 * c.info.pixel_mm->x, "um"), name + ", ImageInfo/PixelSize");
  table.u = {d.pixel_u, 0, 0};
  table.v = {0, 0, d.pixel_v};
  std::vector<double> turns;
  for (const float angle : c.angles) turns.push_back(-static_cast<double>(angle));
  fields.note_fact("angles of the table", angles_text({c.angles.begin(), c.angles.end()}), name + ", ImageInfo/Angles");
  const Trajectory trajectory = trajectory_of(table, std::move(turns), c.where);
  ScanFile file = scan_without_data(path, d, trajectory);
  set_projections(file, path.string());
  file.kind = ScanFile::Kind::counts;
  if (!c.named)
    file.notes.emplace_back(
        "the file names neither its beam nor distances: parallel beams are assumed; a cone beam needs a .scan.toml");
  if (auto reference = open_xrm_reference(path)) {
    const Scan one{d, {file.scan.views.front()}};
    file.flats = std::make_shared<StackSource>(std::move(reference), path.string(), one, false);
    fields.note_fact("flat field", "one image", name + ", ReferenceData/Image");
  } else {
    file.notes.emplace_back(no_flats);
  }
  fields.note_known(xrm_exposure_fields);
  fields.add_to(file);
  apply_shifts(file, c, name);
  return file;
}

}  // namespace

ScanFormat xrm_scan_format() {
  ScanFormat f;
  f.name = "xrm";
  f.title = "Zeiss XRM";
  f.extensions = {".txrm"};
  f.recognizes = [](const FileFront& front) { return is_ole(front) && has_extension(front.path, {".txrm"}); };
  f.load = load_xrm;
  f.notes =
      "cone and parallel beams; shifts of single images move the detector; tested on a real parallel scan, and on a "
      "cone beam made from the description";
  return f;
}

}  // namespace backlit::formats
