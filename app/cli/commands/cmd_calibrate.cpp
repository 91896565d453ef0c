#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/calibration/calibrate_moving_views.hpp>
#include <backlit/calibration/calibrated_number.hpp>
#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
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

struct CalibrateArguments {
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

void print(const Found& all, const Scan& given, const CalibrateArguments& o) {
  const Calibration& found = all.geometry;
  const std::vector<CalibratedNumber> numbers = calibrated_numbers(found, given);
  ordered_json json{
      {"criterion", found.criterion},
      {"before", found.before},
      {"after", found.after},
      {"center_px", center_of(found.scan)},
      {"direction",
       {{"value", found.correction.reversed ? "reversed" : "as given"}, {"determined", found.direction_determined}}}};
  if (!found.direction_determined) json["direction"]["reason"] = found.direction_reason;
  o.console.say("compared", found.criterion);
  o.console.say("disagreement", fmt::format("{:.3g} before, {:.3g} now (0: views agree; about 1: views are unrelated)",
                                            found.before, found.after));
  for (const CalibratedNumber& n : numbers) {
    if (std::isfinite(n.value))
      o.console.say(n.name, n.determined ? fmt::format("{:.4f} +- {:.2g} {} (changed by {:+.4f})", n.value,
                                                       n.uncertainty, n.unit, n.change)
                                         : fmt::format("{:.4f} {} (left: {})", n.value, n.unit, n.reason));
    json[n.name] = {
        {"value", n.value}, {"change", n.change}, {"uncertainty", n.uncertainty}, {"determined", n.determined}};
    if (!n.determined) json[n.name]["reason"] = n.reason;
  }
  o.console.say("direction", !found.direction_determined ? fmt::format("as given (left: {})", found.direction_reason)
                             : found.correction.reversed ? std::string("reversed")
                                                         : std::string("as given"));
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

Found find(const Session& session, const CalibrateArguments& o, const CalibrationOptions& options, const Watch& watch) {
  if (!o.align_views) return {calibrate(*session.projections(), options, watch), {}};
  const VolumeTools tools = make_volume_tools(start_backend(o.device, o.console), watch, 2 * o.alignment.columns);
  MovingViews found = calibrate_moving_views(session.projections(), tools, options, o.alignment, watch);
  return {std::move(found.geometry), std::move(found.alignment)};
}

void check(const CalibrateArguments& o) {
  CalibrationOptions search = o.calibration;
  for (const Parameter& p : search.parameters()) p.check(flag_name(p.name));
  if (!o.align_views && !o.alignment_flags.empty())
    throw InputError(flag_name(o.alignment_flags.front()), "it needs --align-views", "add that flag");
}

void run(const CalibrateArguments& o) {
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
  const Found found = find(session, o, options, watch);
  if (!o.report.empty()) save_png(calibration_report(found.geometry, found.alignment, session, watch), o.report);
  interrupt().check();
  if (!o.output.empty()) save_calibrated(found.geometry, session.file(), o.output);
  print(found, session.scan(), o);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("calibrate", "Find the geometry of a scan from its projections");
  const auto o = std::make_shared<CalibrateArguments>();
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
      "direction of rotation. Fan beams: column offset, the detector's distance, direction of rotation. Parallel "
      "beams:\n"
      "column offset and rotation in the detector's plane. What the views do not determine is left alone.\n"
      "Example: backlit calibrate tooth.scan.toml -o tooth-calibrated.scan.toml --report tooth.png");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace backlit::cli
