#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/calibration/align_views.hpp>
#include <backlit/calibration/calibrate.hpp>
#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/recon/volume_tools.hpp>
#include <backlit/render/png.hpp>
#include "command.hpp"
#include "commands/calibration_report.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "output_path.hpp"
#include "rest_of_scan.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  std::string scan, output, report;
  CalibrationOptions calibration;
  bool align_views = false;
  AlignOptions alignment;
  DeviceOptions device;
  std::vector<std::string> alignment_flags;  ///< parameters of `alignment` and `device` that the user gave
  Console console;
};

struct Found {
  Calibration geometry;
  std::optional<Alignment> alignment;  ///< of views that moved
};

/// One line of the result: a number of the scan as it is after calibration.
struct Line {
  std::string key, unit;
  double value = 0, change = 0, uncertainty = 0;
  bool determined = false;
  std::string reason;
};

/// The numbers of a scan file, from the correction of each. Tilts and distances of scans that no trajectory describes
/// are reported as changes. A number that there is none of is not a number.
std::vector<Line> lines_of(const Calibration& found, const Scan& given) {
  const auto trajectory = find_trajectory(found.scan), before = find_trajectory(given);
  const auto& first = found.scan.views.front();
  const double distance = first.beam == Beam::cone ? detector_normal(first).distance : 0;
  std::vector<Line> lines;
  for (const CalibratedParameter& p : found.parameters) {
    Line line{p.name, p.unit, p.value, p.value, p.uncertainty, p.determined, p.reason};
    const auto value = [&](const char* key, double DetectorPlacement::*member) {
      line.key = key;
      if (!trajectory) return;
      line.value = trajectory->placement.*member;
      if (!before) return;
      line.change = line.value - before->placement.*member;
      if (!p.determined && std::abs(line.change) > 1e-6)
        line.reason += "; it follows from the others, as rows are rotated";
    };
    if (p.name == "column_offset") value("column_offset_px", &DetectorPlacement::offset_u);
    if (p.name == "row_offset") value("row_offset_px", &DetectorPlacement::offset_v);
    if (p.name == "in_plane") value("in_plane_deg", &DetectorPlacement::tilt_n);
    if (p.name == "tilt_u") value("tilt_u_deg", &DetectorPlacement::tilt_u);
    if (p.name == "tilt_v") value("tilt_v_deg", &DetectorPlacement::tilt_v);
    if (p.name == "detector_distance") {
      line.key = "source_to_detector_mm";
      line.unit = "mm";
      line.value = trajectory ? trajectory->source_to_detector : distance;
      line.change = line.value * (1 - 1 / p.value);
      line.uncertainty = p.uncertainty * line.value;
    }
    lines.push_back(line);
  }
  if (first.beam == Beam::parallel) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (Line& line : lines)
      if (line.key == "source_to_detector_mm") line.value = line.change = none;
    lines.push_back({"source_to_axis_mm", "mm", none, none, 0, false, "parallel beams have no source"});
  } else
    lines.push_back({"source_to_axis_mm", "mm", glm::length(point_on_axis(first) - first.source), 0, 0, false,
                     "no view determines it, it only scales the volume; measure a known length"});
  return lines;
}

/// Prints the shifts of views that moved.
void print(const Alignment& found, const Console& console, ordered_json& json) {
  double longest = 0;
  ordered_json u = ordered_json::array(), v = ordered_json::array();
  for (const ViewShift& shift : found.shifts) {
    longest = std::max(longest, std::hypot(shift.u, shift.v));
    u.push_back(shift.u);
    v.push_back(shift.v);
  }
  console.say("shifts of views",
              fmt::format("{:.3f} px r.m.s., at most {:.3f} px, from {} rounds; the last changed them "
                          "by {:.3f} px",
                          rms(found.shifts), longest, found.change.size(), found.change.back()));
  json["view_shifts"] = {{"rms_px", rms(found.shifts)},
                         {"last_change_px", found.change.back()},
                         {"rounds", found.change.size()},
                         {"residual", found.residual.back()},
                         {"u_px", u},
                         {"v_px", v}};
}

void print(const Found& all, const Scan& given, const Options& o) {
  const Calibration& found = all.geometry;
  const std::vector<Line> lines = lines_of(found, given);
  ordered_json json{
      {"criterion", found.criterion},
      {"before", found.before},
      {"after", found.after},
      {"center_px", center_of(found.scan)},
      {"direction",
       {{"value", found.correction.reversed ? "reversed" : "as given"}, {"determined", found.direction_determined}}}};
  o.console.say("compared", found.criterion);
  o.console.say("disagreement", fmt::format("{:.3g} before, {:.3g} now (0: views agree; about 1: views are unrelated)",
                                            found.before, found.after));
  for (const Line& line : lines) {
    if (std::isfinite(line.value))
      o.console.say(line.key, line.determined
                                  ? fmt::format("{:.4f} +- {:.2g} {} (changed by {:+.4f})", line.value,
                                                line.uncertainty, line.unit, line.change)
                                  : fmt::format("{:.4f} {} (left: {})", line.value, line.unit, line.reason));
    json[line.key] = {{"value", line.value},
                      {"change", line.change},
                      {"uncertainty", line.uncertainty},
                      {"determined", line.determined}};
    if (!line.determined) json[line.key]["reason"] = line.reason;
  }
  if (all.alignment) print(*all.alignment, o.console, json);
  for (const std::string& note : found.notes) o.console.say("note", note);
  for (const std::string& file : {o.output, o.report})
    if (!file.empty()) o.console.say("wrote", file);
  if (!o.output.empty()) json["output"] = o.output;
  json["notes"] = found.notes;
  o.console.print_json(json_text(json));
}

std::string geometry_text(const Scan& scan) {
  const auto trajectory = find_trajectory(scan);
  return trajectory ? geometry_toml(scan.detector, *trajectory) : geometry_toml(scan);
}

void save_calibrated(const Calibration& found, const ScanFile& file, const std::string& output) {
  write_text(output,
             fmt::format("# Calibrated from {}.\n{}\n{}\n", file.path.filename().string(), geometry_text(found.scan),
                         rest_of_scan(file, output, {"detector", "trajectory", "view"})));
}

/// The axis and the direction of rotation, as far as views show them that may have moved. Such views show a wrong
/// rotation in the detector's plane.
GeometryCorrection rough_correction(const Session& session, const Options& o, const Watch& watch) {
  try {
    const GeometryCorrection found = calibrate(*session.projections(), o.calibration, watch).correction;
    return {.column_offset = found.column_offset, .reversed = found.reversed};
  } catch (const InputError& e) {
    o.console.say("note", fmt::format("aligned without a first calibration: {}", e.what()));
    return {};
  }
}

/// Shifts of views and errors of the shared geometry disturb each other: aligns and calibrates in turn until the
/// geometry rests.
Found align_and_calibrate(const Session& session, const Options& o, CalibrationOptions options, const Watch& watch) {
  constexpr int most = 4;
  constexpr double rest = 0.02;  // px and degrees
  const VolumeTools tools = make_volume_tools(start_backend(o.device, o.console), watch, 2 * o.alignment.columns);
  const auto aligned = [&](const Scan& scan, std::vector<ViewShift> so_far) {
    PlacedViews placed(session.projections(), scan);
    Alignment found = align_views(placed, tools, o.alignment, watch);
    for (std::size_t i = 0; i < so_far.size(); ++i) {
      found.shifts[i].u += so_far[i].u;
      found.shifts[i].v += so_far[i].v;
    }
    return found;
  };
  const GeometryCorrection rough = rough_correction(session, o, watch);
  options.find_center = false;
  Found found;
  found.alignment = aligned(corrected(session.scan(), rough), {});
  bool reversed = rough.reversed, moves = true;
  for (int pass = 0; moves && pass < most; ++pass) {
    PlacedViews placed(session.projections(), found.alignment->scan);
    std::vector<std::string> notes = std::move(found.geometry.notes);
    found.geometry = calibrate(placed, options, watch);
    if (pass > 0) found.geometry.notes = std::move(notes);
    const GeometryCorrection& by = found.geometry.correction;
    reversed = reversed != by.reversed;
    moves = by.reversed || std::abs(by.column_offset) > rest || std::abs(by.in_plane) > rest;
    found.alignment = aligned(found.geometry.scan, found.alignment->shifts);
  }
  found.geometry.scan = found.alignment->scan;
  found.geometry.correction.reversed = reversed;
  return found;
}

void check(const Options& o) {
  for (const Parameter& p : CalibrationOptions(o.calibration).parameters()) p.check("--" + p.name);
  if (!o.align_views && !o.alignment_flags.empty())
    throw InputError(flag_name(o.alignment_flags.front()), "it needs --align-views", "add that flag");
}

void run(const Options& o) {
  check(o);
  if (!o.output.empty()) require_writable(o.output, {".scan.toml"});
  if (!o.report.empty()) require_writable(o.report, {".png"});
  const Session session = open_session(o.scan, {}, o.console);
  if (!o.output.empty()) require_folder_of(session.file(), o.output);
  std::vector<fs::path> outputs;
  for (const std::string& file : {o.output, o.report})
    if (!file.empty()) outputs.emplace_back(file);
  refuse_overwriting(outputs, session.file().inputs);
  TerminalProgress bar(o.console.quiet);
  const Watch watch(bar, interrupt());
  CalibrationOptions options = o.calibration;
  options.curves = !o.report.empty();
  const Found found = o.align_views ? align_and_calibrate(session, o, options, watch)
                                    : Found{calibrate(*session.projections(), options, watch), {}};
  if (!o.report.empty()) save_png(calibration_report(found.geometry, found.alignment, session, watch), o.report);
  interrupt().check();
  if (!o.output.empty()) save_calibrated(found.geometry, session.file(), o.output);
  print(found, session.scan(), o);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("calibrate", "Find the geometry of a scan from its projections");
  const auto o = std::make_shared<Options>();
  command->add_option("SCAN", o->scan, "scan with projections")->required();
  command->add_option("-o,--output", o->output, "scan file to write, with the calibrated geometry")
      ->type_name("FILE.scan.toml");
  command->add_option("--report", o->report, "picture: a slice before and after, the criterion along each parameter")
      ->type_name("FILE.png");
  add_parameter_flags(*command, o->calibration.parameters(), "Search");
  command->add_flag("--align-views", o->align_views, "find a shift along columns and rows for each view, too")
      ->group("Views that moved");
  add_parameter_flags(*command, o->alignment.parameters(), "Views that moved", &o->alignment_flags);
  add_parameter_flags(*command, describe(o->device), "Views that moved", &o->alignment_flags);
  o->console.add_flags(*command, true);
  command->footer(
      "Cone beams: column and row offset, rotation in the detector's plane, tilt about its columns, its distance,\n"
      "direction of rotation. Fan beams: column offset and the detector's distance. Parallel beams: column offset and\n"
      "rotation in the detector's plane. What the views do not determine is left alone.\n"
      "Example: backlit calibrate tooth.scan.toml -o tooth-calibrated.scan.toml --report tooth.png");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace backlit::cli
