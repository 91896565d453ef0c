// LEAP's parameter files (Livermore): "name = value" lines, with the projections in a file beside it.
#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The angles: the list phis, else numAngles over angularRange.
std::vector<double> angles_of(HeaderFields& fields, std::int64_t views) {
  if (const auto list = fields.text("phis")) {
    std::string numbers = *list;
    for (char& c : numbers)
      if (c == '[' || c == ']') c = ' ';
    auto angles = parse_numbers(numbers, 0, fields.file(), "phis");
    if (static_cast<std::int64_t>(angles.size()) != views)
      fields.fail("phis", fmt::format("{} angles for {} views", angles.size(), views));
    fields.note_fact("angles", angles_text(angles), fields.source("phis"));
    return angles;
  }
  const double arc = fields.require("angularRange", "arc", "deg");
  if (arc == 0 && views > 1) fields.fail("angularRange", "all views would be the same");
  return equal_angles(views, 0, arc);
}

/// Three numbers a view.
std::vector<Vec3> leap_vectors(HeaderFields& fields, const char* name, const char* meaning, std::int64_t views) {
  const auto list = fields.text(name);
  if (!list) throw InputError(fields.file(), fmt::format("has no {} ({})", name, meaning), "modular beams need it");
  const auto numbers = parse_numbers(*list, 0, fields.file(), name);
  if (static_cast<std::int64_t>(numbers.size()) != 3 * views)
    fields.fail(name, fmt::format("{} numbers for {} views", numbers.size(), views), "three a view");
  std::vector<Vec3> vectors;
  for (std::size_t i = 0; i < numbers.size(); i += 3) vectors.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  fields.note_fact(meaning, fmt::format("{} vectors", vectors.size()), fields.source(name));
  return vectors;
}

/// Modular beams: source and detector stand anywhere in each view. rowVectors point to the next row, colVectors to the
/// next column.
ScanFile modular_scan(const fs::path& path, const Detector& d, std::int64_t views, HeaderFields& fields) {
  const auto sources = leap_vectors(fields, "sourcePositions", "places of the source, mm", views),
             centers = leap_vectors(fields, "moduleCenters", "places of the detector, mm", views),
             along_v = leap_vectors(fields, "rowVectors", "directions to the next row", views),
             along_u = leap_vectors(fields, "colVectors", "directions to the next column", views);
  const double column = fields.number("centerCol", "column at the detector's place", "px").value_or(d.middle_column()),
               row = fields.number("centerRow", "row at the detector's place", "px").value_or(d.middle_row());
  ScanFile file;
  file.path = path;
  file.scan.detector = d;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const auto& [key, vector] : {std::pair("rowVectors", along_v[i]), {"colVectors", along_u[i]}})
      if (std::abs(glm::length(vector) - 1) > 1e-3)
        fields.fail(key, fmt::format("the vector of view {} is {:.6g} long", i, glm::length(vector)),
                    "directions are 1 long; the pixel's size is a value of its own");
    View view;
    view.source = sources[i];
    view.u = d.pixel_u * glm::normalize(along_u[i]);
    view.v = d.pixel_v * glm::normalize(along_v[i]);
    view.center = centers[i] + (d.middle_column() - column) * view.u + (d.middle_row() - row) * view.v;
    file.scan.views.push_back(view);
  }
  file.scan.check(path.c_str());
  file.trajectory_toml = geometry_toml(file.scan);
  return file;
}

/// Conventions as in LEAP's ray tracer: at angle 0 the source is at -y. It goes counterclockwise; rows run along +z,
/// columns to the right as seen from the source.
Trajectory leap_trajectory(const std::string& beam, std::int64_t views, Detector& d, HeaderFields& fields) {
  if (fields.number("tau").value_or(0) != 0)
    fields.fail("tau", "a source beside the axis is not read here", "write the views as matrices");
  Trajectory t;
  t.kind = Trajectory::Kind::parallel;
  t.angles_deg = angles_of(fields, views);
  for (double& angle : t.angles_deg) angle -= 90;
  if (beam != "parallel") {
    t.kind = Trajectory::Kind::circular;
    t.source_to_axis = fields.require_positive("sod", "source to axis", "mm");
    t.source_to_detector = fields.require_positive("sdd", "source to detector", "mm");
    if (t.source_to_detector < t.source_to_axis) fields.fail("sdd", "is less than sod", "are the two exchanged?");
    // LEAP's pitch is in mm a radian, ours in mm a turn.
    const double pitch = fields.number("helicalPitch", "pitch", "mm/turn", 2 * pi).value_or(0);
    if (pitch != 0) {
      t.kind = Trajectory::Kind::helical;
      t.pitch = pitch;
      t.start_z = -0.5 * pitch * (t.angles_deg.back() - t.angles_deg.front()) / 360;
    }
    if (lower_case(fields.text("detectorType", "detector").value_or("flat")) == "curved")
      d.shape = Detector::Shape::curved;
  }
  t.placement.offset_u =
      fields.number("centerCol", "column of the axis", "px").value_or(d.middle_column()) - d.middle_column();
  t.placement.offset_v =
      fields.number("centerRow", "row in the plane of the source", "px").value_or(d.middle_row()) - d.middle_row();
  return t;
}

void set_leap_projections(ScanFile& file, const fs::path& path, HeaderFields& fields) {
  std::string data = fields.text("proj_file").value_or("");
  std::string name = path.stem().string();
  if (name.ends_with(".leap")) name.resize(name.size() - 5);
  for (const char* ending : {".npy", ".tif", ".mha", "_sino.npy", "_g.npy"}) {
    std::error_code error;
    const std::string candidate = name + ending;
    if (data.empty() && fs::is_regular_file(path.parent_path() / candidate, error)) data = candidate;
  }
  if (data.empty())
    throw InputError(path.string(), "a geometry without projections",
                     fmt::format("put them beside it as {}.npy (view, row, column)", name));
  set_projections(file, resolve_path(path.parent_path(), data));
  fields.note_fact("projections", data, "beside the file");
}

ScanFile load_leap(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_ini(path);
  const std::string beam = lower_case(fields.text("geometry", "beam").value_or(""));
  if (beam != "cone" && beam != "fan" && beam != "parallel" && beam != "modular")
    throw InputError(path.string(), fmt::format("its geometry is '{}'", beam.substr(0, 40)),
                     "cone, fan, parallel and modular can be read; write the others as matrices");
  Detector d;
  d.columns = fields.require_count("numCols", "columns of the detector", 1 << 20, "px");
  d.rows = fields.require_count("numRows", "rows of the detector", 1 << 20, "px");
  d.pixel_u = fields.require_positive("pixelWidth", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("pixelHeight", "height of a pixel", "mm");
  const std::int64_t views = fields.require_count("numAngles", "views", 1'000'000);
  ScanFile file;
  if (beam == "modular") {
    file = modular_scan(path, d, views, fields);
  } else {
    const Trajectory trajectory = leap_trajectory(beam, views, d, fields);
    file = scan_without_data(path, d, trajectory);
  }
  file.reversal.fixed_deg = -90;
  if (with_data) set_leap_projections(file, path, fields);
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat leap_format() {
  ScanFormat f;
  f.name = "leap";
  f.title = "LEAP parameters";
  f.extensions = {".leap.txt", ".params"};
  f.recognizes = [](const FileFront& front) {
    const std::string text = lower_case(front.bytes);
    return text.find("numangles") != std::string::npos && text.find("numcols") != std::string::npos &&
           text.find("pixelwidth") != std::string::npos;
  };
  f.load = load_leap;
  f.notes =
      "cone, fan, parallel and modular; projections as a .npy of its name beside it; tested on LEAP's own parallel "
      "sinogram, else on files made from the description";
  return f;
}

}  // namespace backlit::formats
