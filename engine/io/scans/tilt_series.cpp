// Tilt series of electron microscopes: an MRC stack, with its angles in a .tlt or .rawtlt file beside it.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/volumes/mrc.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The file of a stack's angles: refined angles if there are any, else the microscope's. Empty where there is none.
fs::path angles_beside(const fs::path& stack) {
  for (const char* ending : {".tlt", ".rawtlt"}) {
    std::error_code error;
    fs::path list = stack;
    if (fs::is_regular_file(list.replace_extension(ending), error)) return list;
    list = stack.parent_path() / (stack.filename().string() + ending);
    if (fs::is_regular_file(list, error)) return list;
  }
  return {};
}

/// Conventions as in IMOD: the tilt axis is y of the images, upwards from the first row. A tilt turns the specimen
/// right-handed about it, so the rays turn the other way. IMOD's x, y, z are our y, z, x.
ScanFile load_tilt_series(const fs::path& path, bool) {
  HeaderFields fields(path.string());
  const StackInfo info = open_stack(path.string())->info();
  const fs::path list = angles_beside(path);
  if (list.empty()) throw InputError(path.string(), "an MRC stack without angles", "put its .tlt or .rawtlt beside it");
  Trajectory trajectory;
  trajectory.kind = Trajectory::Kind::parallel;
  const std::vector<double> tilts = read_numbers(list.string());
  fields.note_fact("tilts", angles_text(tilts), list.filename().string());
  for (const double tilt : tilts) trajectory.angles_deg.push_back(0.0 - tilt);  // no -0
  Detector d;
  d.columns = info.columns;
  d.rows = info.rows;
  note_image_size(fields, d, path.filename().string() + ", NX, NY");
  if (info.pixel_mm) {
    d.pixel_u = info.pixel_mm->x;
    d.pixel_v = info.pixel_mm->y;
    fields.note_fact("pixels", fmt::format("{:.6g} x {:.6g} nm", 1e6 * d.pixel_u, 1e6 * d.pixel_v),
                     path.filename().string() + ", CELLA over MX, MY");
  }
  ScanFile file = scan_without_data(path, d, trajectory);
  file.pixel_size_known = info.pixel_mm.has_value();
  if (!file.pixel_size_known)
    file.notes.emplace_back("the file gives no pixel size: 1 mm is assumed, so lengths are in pixels");
  file.notes.emplace_back(
      "the values are taken as they are, as line integrals; where they are counts of a bright field, "
      "say so in a scan file (backlit convert)");
  set_projections(file, path.string());
  file.inputs.push_back(list);
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat tilt_series_format() {
  ScanFormat f;
  f.name = "tilt series";
  f.title = "MRC tilt series";
  f.extensions = {".mrc", ".st", ".ali"};
  f.recognizes = [](const FileFront& front) { return is_mrc(front) && !angles_beside(front.path).empty(); };
  f.load = load_tilt_series;
  f.notes =
      "with its angles in a `.tlt` or `.rawtlt` beside it; the tilt axis runs across the rows; tested on files made "
      "from the description, and by mrcfile";
  return f;
}

}  // namespace backlit::formats
