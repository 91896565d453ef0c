#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <backlit/calibration/calibrate.hpp>
#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/render/png.hpp>
#include "command.hpp"
#include "commands/calibration_report.hpp"
#include "core/parse_toml.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  std::string scan, output, report;
  CalibrationOptions calibration;
  Console console;
};

/// One line of the result: a number of the scan as it is after calibration.
struct Line {
  std::string key, unit;
  double value = 0, change = 0, uncertainty = 0;
  bool determined = false;
  std::string reason;
};

/// The numbers of a scan file after calibration, one for each parameter. A scan without a trajectory reports offsets
/// and tilts as corrections.
std::vector<Line> lines_of(const Calibration& found) {
  const auto trajectory = find_trajectory(found.scan);
  const auto& first = found.scan.views.front();
  const double distance = first.beam == Beam::cone ? detector_normal(first).distance : 0;
  std::vector<Line> lines;
  for (const CalibratedParameter& p : found.parameters) {
    Line line{p.name, p.unit, p.value, p.value, p.uncertainty, p.determined, p.reason};
    const auto value = [&](const char* key, double DetectorPlacement::*member) {
      line.key = key;
      if (trajectory) line.value = trajectory->placement.*member;
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
  if (first.beam == Beam::cone)
    lines.push_back({"source_to_axis_mm", "mm", glm::length(point_on_axis(first) - first.source), 0, 0, false,
                     "no view determines it, it only scales the volume; measure a known length"});
  return lines;
}

void print(const Calibration& found, const Options& o) {
  const std::vector<Line> lines = lines_of(found);
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
    o.console.say(line.key, line.determined ? fmt::format("{:.4f} +- {:.2g} {} (changed by {:+.4f})", line.value,
                                                          line.uncertainty, line.unit, line.change)
                                            : fmt::format("{:.4f} {} (left: {})", line.value, line.unit, line.reason));
    json[line.key] = {{"value", line.value},
                      {"change", line.change},
                      {"uncertainty", line.uncertainty},
                      {"determined", line.determined}};
    if (!line.determined) json[line.key]["reason"] = line.reason;
  }
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

/// The scan file's tables without its geometry.
std::string other_tables(const fs::path& path) {
  std::ostringstream text, rest;
  text << std::ifstream(path).rdbuf();
  toml::table tables = parse_toml(text.str(), path.string());
  for (const char* key : {"detector", "trajectory", "view"}) tables.erase(key);
  rest << toml::toml_formatter(tables);
  return rest.str();
}

/// The [data] table of a calibrated scan that was not TOML: it names the original file, which keeps the data.
std::string data_of(const fs::path& path, const fs::path& folder) {
  const fs::path relative = fs::absolute(path).lexically_relative(folder);
  return fmt::format("[data]\nscan = {}", toml_text((relative.empty() ? fs::absolute(path) : relative).string()));
}

bool is_toml(const ScanFile& file) { return has_extension(file.path, {".toml"}); }

void require_folder_of(const ScanFile& file, const std::string& output) {
  const auto folder_of = [](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path).parent_path()); };
  if (is_toml(file) && folder_of(output) != folder_of(file.path))
    throw InputError(output, "paths in the scan file are relative to its folder",
                     fmt::format("write it to {}", fs::absolute(file.path).parent_path().string()));
}

void save_calibrated(const Calibration& found, const ScanFile& file, const std::string& output) {
  write_text(
      output,
      fmt::format("# Calibrated from {}.\n{}\n{}\n", file.path.filename().string(), geometry_text(found.scan),
                  is_toml(file) ? other_tables(file.path) : data_of(file.path, fs::absolute(output).parent_path())));
}

void run(const Options& o) {
  for (const Parameter& p : CalibrationOptions(o.calibration).parameters()) p.check("--" + p.name);
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
  const Calibration found = calibrate(*session.projections(), options, watch);
  if (!o.report.empty()) save_png(calibration_report(found, session, watch), o.report);
  interrupt().check();
  if (!o.output.empty()) save_calibrated(found, session.file(), o.output);
  print(found, o);
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
  o->console.add_flags(*command, true);
  command->footer(
      "Cone beams: column offset, rotation in the detector's plane, direction of rotation. Fan beams: column offset "
      "and\n"
      "the detector's distance. Parallel beams: column offset and rotation in the detector's plane. What the views do "
      "not\n"
      "determine is left alone.\n"
      "Example: backlit calibrate tooth.scan.toml -o tooth-calibrated.scan.toml --report tooth.png");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace backlit::cli
