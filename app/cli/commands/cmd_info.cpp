#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/geometry_format.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/render/png.hpp>
#include <backlit/render/scan_plot.hpp>
#include "command.hpp"
#include "commands/file_facts.hpp"
#include "commands/list_mode_info.hpp"
#include "json_text.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

using nlohmann::ordered_json;

struct InfoArguments {
  std::string file, geometry, plot;
  ListModeQuestion list_mode;
  std::int64_t tof_sign = 1;
  Console console;
};

FileInfo describe(const InfoArguments& o) {
  TerminalProgress bar(o.console.quiet || o.console.json);
  return describe_file(o.file, {bar, interrupt()});
}

void print_values(const FileInfo& info, const Console& console) {
  if (info.min) console.say("values", fmt::format("{:.6g} to {:.6g}, mean {:.6g}", *info.min, *info.max, *info.mean));
  if (info.not_finite > 0) console.say("caution", fmt::format("{} values are NaN or infinite", info.not_finite));
}

ordered_json values_json(const FileInfo& info) {
  const auto number = [](const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); };
  return {{"min", number(info.min)},
          {"max", number(info.max)},
          {"mean", number(info.mean)},
          {"not_finite", info.not_finite}};
}

std::string vector_text(const Vec3& v) { return fmt::format("{:.6g}, {:.6g}, {:.6g} mm", v.x, v.y, v.z); }
ordered_json vector_json(const Vec3& v) { return {v.x, v.y, v.z}; }

void print_volume(const InfoArguments& o) {
  const FileInfo info = describe(o);
  const Console& c = o.console;
  c.say("file", fmt::format("{}: {}, {}", o.file, info.format, info.type));
  c.say("size", size_text(info.size) + " (x, y, z; projections: columns, rows, views)");
  c.say("spacing", info.spacing_mm                  ? vector_text(*info.spacing_mm)
                   : info.more.contains("pixel_mm") ? "none between images: voxels are taken as 1 mm"
                                                    : "not in the file: taken as 1 mm");
  if (info.center_mm) c.say("center", vector_text(*info.center_mm));
  for (const auto& [name, text] : info.more) c.say(name, text);
  print_values(info, c);
  print_facts(info, c);
  ordered_json json{{"kind", info.kind}, {"format", info.format}, {"size", info.size}, {"type", info.type}};
  json["spacing_mm"] = vector_json(info.spacing_mm.value_or(Vec3(1)));
  json["center_mm"] = vector_json(info.center_mm.value_or(Vec3(0)));
  json.update(values_json(info));
  add_facts(info, json);
  c.print_json(json_text(json));
}

/// The main numbers of a scan's geometry, from its first view.
struct ScanSummary {
  double source_to_axis = 0, source_to_detector = 0;  ///< mm; 0 for parallel beams
  double magnification = 1;
  double voxel_at_axis = 0;  ///< mm, width of a detector column projected to the axis
};

ScanSummary summarize(const Scan& scan) {
  const View& view = scan.views.front();
  const double width = glm::length(view.u);
  if (view.beam == Beam::parallel) return {0, 0, 1, width};
  const DetectorNormal normal = detector_normal(view);
  const Vec3 to_axis = point_on_axis(view) - view.source;
  const double magnification = normal.distance / glm::dot(normal.normal, to_axis);
  return {glm::length(to_axis), normal.distance, magnification, width / magnification};
}

/// Loads a scan. If its images are missing, warns and returns the geometry of a scanner's own format.
ScanFile load_for_info(const InfoArguments& o) {
  try {
    return load_scan(o.file);
  } catch (const InputError& error) {
    ScanFile geometry;
    try {
      geometry = load_scan_geometry(o.file);
    } catch (const InputError&) {
    }
    if (geometry.facts.empty()) throw;
    o.console.warn(error.what());
    return geometry;
  }
}

void print_scan(const InfoArguments& o) {
  if (!o.plot.empty()) require_writable(o.plot, {".png"});
  const ScanFile file = load_for_info(o);
  for (const std::string& output : {o.geometry, o.plot})
    if (!output.empty()) refuse_overwriting({output}, file.inputs);
  if (!o.geometry.empty()) write_geometry(file.scan, o.geometry);
  const Detector& d = file.scan.detector;
  const ScanSummary g = summarize(file.scan);
  const VolumeGrid grid = file.volume ? *file.volume : default_grid(file.scan);
  if (!o.plot.empty()) save_png(plot_scan(file.scan, grid), o.plot);
  const Vec3 extent = grid.upper() - grid.lower();
  const std::int64_t views = file.scan.view_count();
  const bool parallel = file.scan.beam() == Beam::parallel;
  const char* shape = d.shape == Detector::Shape::curved ? "curved" : "flat";
  const char* kind = file.kind == ScanFile::Kind::counts ? "counts" : "line_integrals";
  const double center = center_of(file.scan);

  const Console& c = o.console;
  for (const auto& note : file.notes) c.warn(in_flags(note));
  c.say("scan", fmt::format("{}: {} beam, {} views", o.file, parallel ? "parallel" : "cone", views));
  c.say("detector",
        fmt::format("{} x {} pixels of {:.4g} x {:.4g} mm, {}", d.columns, d.rows, d.pixel_u, d.pixel_v, shape));
  if (!parallel)
    c.say("distances", fmt::format("source to axis {:.6g} mm, to detector {:.6g} mm, magnification {:.4g}",
                                   g.source_to_axis, g.source_to_detector, g.magnification));
  c.say("axis", fmt::format("projects to column {:.2f}", center));
  if (!file.angles_deg.empty())
    c.say("angles", fmt::format("{:.6g} to {:.6g} deg", file.angles_deg.front(), file.angles_deg.back()));
  c.say("at axis", fmt::format("a pixel is {:.4g} mm wide at the axis", g.voxel_at_axis));
  c.say("volume", fmt::format("{} voxels of {}{}", size_text(grid.size), vector_text(grid.spacing),
                              file.volume ? "" : " (the region that every view sees)"));
  c.say("covers", vector_text(extent));
  print_facts(file, c);
  for (const std::string& output : {o.geometry, o.plot})
    if (!output.empty()) c.say("wrote", output);

  ordered_json json{{"kind", "scan"},
                    {"beam", parallel ? "parallel" : "cone"},
                    {"size", {d.columns, d.rows, views}},
                    {"views", views},
                    {"type", file.projections ? ordered_json(kind) : ordered_json()},
                    {"pixel_mm", {d.pixel_u, d.pixel_v}},
                    {"shape", shape},
                    {"center_px", center},
                    {"source_to_axis_mm", g.source_to_axis},
                    {"source_to_detector_mm", g.source_to_detector},
                    {"magnification", g.magnification},
                    {"voxel_at_axis_mm", g.voxel_at_axis},
                    {"field_of_view_mm", vector_json(extent)},
                    {"spacing_mm", vector_json(grid.spacing)},
                    {"grid", grid.size}};
  add_facts(file, json);
  if (file.projections) {
    TerminalProgress bar(o.console.quiet || o.console.json);
    const FileInfo info = describe_scan(file, {bar, interrupt()});
    c.say("data", kind);
    print_values(info, c);
    json.update(values_json(info));
  } else {
    c.say("data", "none: the file has only a geometry");
  }
  c.print_json(json_text(json));
}

void info(InfoArguments o) {
  if (is_list_mode(o.file)) {
    o.list_mode.file = o.file;
    o.list_mode.flip_tof = o.tof_sign < 0;
    return print_list_mode(o.list_mode, o.console);
  }
  if (is_scan(o.file)) return print_scan(o);
  for (const auto& [flag, file] : {std::pair("--geometry", &o.geometry), {"--plot", &o.plot}})
    if (!file->empty()) throw InputError(flag, fmt::format("{} is not a scan", o.file), "leave it out");
  print_volume(o);
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Describe a file, in physical units (mm, degrees, 1/mm, ps)");
  const auto o = std::make_shared<InfoArguments>();
  command
      ->add_option(
          "FILE", o->file,
          "volume, stack of images, scan (*.scan.toml, a scanner's own file, or its folder), or list of PET events")
      ->required();
  command
      ->add_option("--geometry", o->geometry,
                   fmt::format("scan: also write its views for other toolkits: {}",
                               fmt::join(savable_titles(geometry_formats()), ", ")))
      ->type_name("FILE")
      ->group("Scan");
  command->add_option("--plot", o->plot, "scan: draw source, detector and volume, from above and from the side")
      ->type_name("FILE.png")
      ->group("Scan");
  const std::string group = "PET list mode";
  command->add_option("--scanner", o->list_mode.scanner, "scanner file, if none lies beside the list")->group(group);
  command->add_option("--tof-sign", o->tof_sign, "-1 if the list holds t2 - t1 [1]")
      ->check(CLI::IsMember({-1, 1}))
      ->group(group);
  command->add_option("--png", o->list_mode.png, "draw the histograms")->type_name("FILE")->group(group);
  o->console.add_flags(*command, true);
  command->footer("Example: backlit info head.scan.toml --json");
  command->callback([o, &action] { action = [o] { info(*o); }; });
}

}  // namespace backlit::cli
