// Writes [detector], [trajectory] and [[view]].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/io/scans/scan_geometry.hpp>

namespace backlit {
namespace {

std::string vector_text(const Vec3& a) { return toml_numbers({a.x, a.y, a.z}); }

std::string detector_text(const Detector& d, bool with_pixel) {
  std::string text = fmt::format("[detector]\ncolumns = {}\nrows = {}\n", d.columns, d.rows);
  if (with_pixel) text += fmt::format("pixel_mm = {}\n", toml_numbers({d.pixel_u, d.pixel_v}));
  if (d.shape == Detector::Shape::curved) text += "shape = \"curved\"\n";
  if (d.radius > 0) text += fmt::format("radius_mm = {}\n", toml_number(d.radius));
  return text;
}

std::string placement_text(const DetectorPlacement& p) {
  std::string text;
  if (p.offset_u != 0 || p.offset_v != 0)
    text += fmt::format("offset_px = {}\n", toml_numbers({p.offset_u, p.offset_v}));
  if (p.tilt_u != 0 || p.tilt_v != 0 || p.tilt_n != 0)
    text += fmt::format("tilt_deg = {}\n", toml_numbers({p.tilt_u, p.tilt_v, p.tilt_n}));
  return text;
}

std::string angles_text(const Trajectory& t) {
  if (!t.arc) return fmt::format("angles_deg = {}\n", toml_numbers(t.angles_deg));
  return fmt::format("start_deg = {}\narc_deg = {}\nviews = {}\n", toml_number(t.arc->start_deg),
                     toml_number(t.arc->arc_deg), t.arc->views);
}

/// Whether pixel sizes of detector and views agree closely enough for read_scan_geometry() with [[view]] tables.
bool pixels_agree(const Scan& scan) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 0.005 * b; };
  for (const View& view : scan.views)
    if (!near(glm::length(view.u), scan.detector.pixel_u) || !near(glm::length(view.v), scan.detector.pixel_v))
      return false;
  return true;
}

}  // namespace

std::string toml_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string toml_numbers(const std::vector<double>& values) {
  constexpr std::size_t a_line = 10;
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += i % a_line == 0 ? ",\n  " : ", ";
    text += toml_number(values[i]);
  }
  return text + "]";
}

std::string toml_text(const std::string& value) {
  std::string text = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\u{:04X}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string geometry_toml(const Detector& detector, const Trajectory& t) {
  static constexpr const char* names[] = {"circular", "parallel", "helical", "laminographic"};
  std::string text = detector_text(detector, true) + placement_text(t.placement);
  text += fmt::format("\n[trajectory]\nkind = \"{}\"\n", names[static_cast<int>(t.kind)]);
  if (t.source_to_axis > 0)
    text += fmt::format("source_to_axis_mm = {}\nsource_to_detector_mm = {}\n", toml_number(t.source_to_axis),
                        toml_number(t.source_to_detector));
  if (t.kind == Trajectory::Kind::helical)
    text += fmt::format("pitch_mm = {}\nstart_z_mm = {}\n", toml_number(t.pitch), toml_number(t.start_z));
  if (t.kind == Trajectory::Kind::laminographic)
    text += fmt::format("elevation_deg = {}\n", toml_number(t.elevation_deg));
  if (!t.focal_spot_u.empty()) text += fmt::format("focal_spot_u_mm = {}\n", toml_numbers(t.focal_spot_u));
  if (!t.focal_spot_z.empty()) text += fmt::format("focal_spot_z_mm = {}\n", toml_numbers(t.focal_spot_z));
  text += angles_text(t);
  for (auto [key, part] : {std::pair("shift_u_px", &ViewShift::u), {"shift_v_px", &ViewShift::v}}) {
    std::vector<double> shifts;
    for (const ViewShift& shift : t.shifts) shifts.push_back(shift.*part);
    if (std::ranges::any_of(shifts, [](double s) { return s != 0; }))
      text += fmt::format("{} = {}\n", key, toml_numbers(shifts));
  }
  return text;
}

std::string geometry_toml(const Scan& scan) {
  std::string text = detector_text(scan.detector, pixels_agree(scan));
  for (const View& view : scan.views) {
    const bool parallel = view.beam == Beam::parallel;
    text += fmt::format("\n[[view]]\n{} = {}\ncenter = {}\nu = {}\nv = {}\n", parallel ? "direction" : "source",
                        vector_text(parallel ? view.direction : view.source), vector_text(view.center),
                        vector_text(view.u), vector_text(view.v));
  }
  return text;
}

}  // namespace backlit
