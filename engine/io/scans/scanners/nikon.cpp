// Nikon (X-Tek) .xtekct: an INI file beside a folder of 16-bit TIFF images. The file holds the images' open-beam level.
#include <fmt/format.h>

#include <algorithm>
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

/// The rotation axis in the frame of the source: x to the right, y along the beam, z up; the source at 0.
struct Axis {
  double x = 0;     ///< mm, at the height of the source
  double roll = 0;  ///< radians, about the beam
  double tilt = 0;  ///< radians, towards the detector

  Vec3 direction() const { return {std::sin(roll), -std::sin(tilt) * std::cos(roll), std::cos(tilt) * std::cos(roll)}; }
};

/// Inspect-X before 6.8 gives the projection of the axis at the top and the bottom of the detector, mm. Later versions
/// give the position and the angles of the axis.
Axis read_axis(HeaderFields& fields, const Detector& d, double magnification) {
  Axis axis;
  const auto offset = fields.number("ObjectOffsetX", "offset of the axis", "mm");
  const auto top = fields.number("CentreOfRotationTop", "axis on the detector, at its top", "mm");
  const auto bottom = fields.number("CentreOfRotationBottom", "axis on the detector, at its bottom", "mm");
  const auto roll = fields.number("ObjectRoll", "roll of the axis", "deg");
  const auto tilt = fields.number("ObjectTilt", "tilt of the axis", "deg");
  const bool on_detector = (top || bottom) && !(offset && *offset != 0);
  if (on_detector)
    axis.x = -0.5 * (top.value_or(0) + bottom.value_or(0)) / magnification;
  else
    axis.x = -offset.value_or(0);
  if (roll && *roll != 0)
    axis.roll = *roll * radians_per_degree;
  else if (on_detector)
    axis.roll = -std::atan2(top.value_or(0) - bottom.value_or(0), static_cast<double>(d.rows) * d.pixel_v);
  axis.tilt = -tilt.value_or(0) * radians_per_degree;
  return axis;
}

/// The second number of each line that begins with two numbers. A colon may follow the first.
std::vector<double> listed_angles(const fs::path& path) {
  std::string text = read_small_text(path);
  std::replace(text.begin(), text.end(), ':', ' ');
  std::vector<double> angles;
  for (TextLines lines(text); lines.next();) {
    try {
      const auto numbers = parse_numbers(lines.line(), 0, "", "");
      if (numbers.size() >= 2) angles.push_back(numbers[1]);
    } catch (const InputError&) {  // a heading
    }
  }
  return angles;
}

/// The list of measured angles beside the scan, if there is one that fits the scan; else the even angles. Nikon's lists
/// run in either direction and are wrong in some versions: direction and step come from the header.
std::vector<double> settle_angles(const fs::path& folder, const std::string& name, std::vector<double> even,
                                  double step, HeaderFields& fields, std::vector<std::string>& notes) {
  for (const std::string& file : {name + "_ctdata.txt", name + ".ang"}) {
    std::error_code error;
    if (!fs::is_regular_file(folder / file, error)) continue;
    const std::vector<double> listed = listed_angles(folder / file);
    const std::string where = fmt::format("{}: {} angles", file, listed.size());
    if (listed.size() != even.size()) {
      notes.push_back(fmt::format("{} where the scan has {} views: not used", where, even.size()));
      continue;
    }
    const double turn = listed.back() - listed.front();
    const double sign = (turn < 0) == (step < 0) ? 1 : -1;
    std::vector<double> angles = even;
    double most = 0;
    for (std::size_t i = 0; i < even.size(); ++i) {
      const double apart = std::remainder(sign * (listed[i] - listed[0]) - (even[i] - even[0]), 360.0);
      angles[i] += apart;
      most = std::max(most, std::abs(apart));
    }
    if (most > 5 * std::abs(step)) {
      notes.push_back(fmt::format("{} up to {:.4g} deg from the even steps of the header: not used", where, most));
      continue;
    }
    fields.note_fact("measured angles", fmt::format("up to {:.3g} deg from even steps", most), file);
    return most > 1e-3 * std::abs(step) ? angles : even;
  }
  return even;
}

/// Conventions as in CIL's reader. Seen from the source, the images' first pixel is at the top right. The table turns
/// so that the source goes counterclockwise round the object, seen from above.
ScanFile load_nikon(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_ini(path);
  Detector d;
  d.columns = fields.require_count("DetectorPixelsX", "columns of the detector", 1 << 20, "px");
  d.rows = fields.require_count("DetectorPixelsY", "rows of the detector", 1 << 20, "px");
  d.pixel_u = fields.require_positive("DetectorPixelSizeX", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("DetectorPixelSizeY", "height of a pixel", "mm");
  const double to_object = fields.require_positive("SrcToObject", "source to axis", "mm");
  const double to_detector = fields.require_positive("SrcToDetector", "source to detector", "mm");
  if (to_detector <= to_object) fields.fail("SrcToDetector", "the axis would be behind the detector");
  const std::int64_t views = fields.require_count("Projections", "views", 1'000'000);
  const double step = fields.require("AngularStep", "step between views", "deg");
  if (step == 0 && views > 1) fields.fail("AngularStep", "all views would be the same");
  const double first = fields.number("InitialAngle", "first angle", "deg").value_or(0);
  const Axis axis = read_axis(fields, d, to_detector / to_object);

  std::vector<std::string> notes;
  std::vector<double> angles;
  for (std::int64_t i = 0; i < views; ++i) angles.push_back(first + step * static_cast<double>(i));
  const std::string name = fields.text("Name", "name").value_or(path.stem().string());
  angles = settle_angles(path.parent_path(), name, std::move(angles), step, fields, notes);

  Turntable table;
  table.center = {0, to_detector, 0};
  table.u = {-d.pixel_u, 0, 0};
  table.v = {0, 0, -d.pixel_v};
  table.axis_point = {axis.x, to_object, 0};
  table.axis = axis.direction();
  const Trajectory trajectory = trajectory_of(table, std::move(angles), path.string());
  ScanFile file = scan_without_data(path, d, trajectory);
  file.notes = std::move(notes);
  const double white = fields.require_positive("WhiteLevel", "counts of the open beam");
  const std::string separator = fields.text("InputSeparator").value_or("_");
  const std::string below = fields.text("InputFolderName").value_or("");
  if (with_data) {
    const fs::path folder = path.parent_path();
    auto images = numbered_images(path, {{folder, name + separator}, {folder / below, name + separator}});
    fields.note_fact("images", fmt::format("{}, {} files", images.front().filename().string(), images.size()),
                     "beside the file");
    set_projection_files(file, std::move(images));
    set_open_beam(file, white);
  }
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat nikon_format() {
  ScanFormat f;
  f.name = "nikon";
  f.title = "Nikon CT";
  f.extensions = {".xtekct"};
  f.recognizes = [](const FileFront& front) { return lower_case(front.bytes).find("[xtekct]") != std::string::npos; };
  f.load = load_nikon;
  f.notes = "beside its TIFF images; `.ang` and `_ctdata.txt` too; tested on a header, with simulated images";
  return f;
}

}  // namespace backlit::formats
