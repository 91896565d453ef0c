#include <fmt/format.h>
#include <fmt/ranges.h>
#include "model/actions/action_groups.hpp"
#include "model/values/exports.hpp"

#include <filesystem>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/sources/raw_import.hpp"
#include "model/sources/source.hpp"
#include "model/values/oblique_values.hpp"
#include "model/values/statistics.hpp"

namespace backlit::viewer {
namespace {

void open_recent(Model& m, const Action& a) {
  const std::int64_t n = integer(a, 0);
  const auto& files = m.recent();
  if (n < 1 || n > static_cast<std::int64_t>(files.size()))
    throw InputError("recent", fmt::format("there is no recent file {}", n), fmt::format("there are {}", files.size()));
  action_info("open").run(m, {"open", {files[static_cast<std::size_t>(n - 1)]}});
}

void load_session(Model& m, const std::string& file) {
  m.restore(load_state(file));
  m.add_recent(file);
}

/// Asks the user for the path that an action lacks.
void ask(Model& m, const Action& a, const std::string& suggestion) {
  require(m.hooks.ask_path, a.name.c_str())(a, suggestion);
}

void export_oblique(Model& m, const std::string& path) {
  const DisplayState& d = m.state().display;
  save_slice(oblique_shown(m), {path, Axis::z, 0, {d.low, d.high}, d.map});
  m.exported(path);
}

void export_slice(Model& m, const Action& a) {
  if (a.arguments.size() < 2) {
    const std::string axis = a.arguments.empty() ? "z" : a.arguments[0];
    return ask(m, {a.name, {axis}}, "slice.png");
  }
  if (a.arguments[0] == "oblique") return export_oblique(m, a.arguments[1]);
  const DisplayState& d = m.state().display;
  order::ExportSlice order{a.arguments[1], axis_from(a.arguments[0]), 0, {d.low, d.high}, d.map};
  order.position = m.state().crosshair[static_cast<int>(order.axis)];
  m.worker().give(order);
}

/// "export axial": exports the slice that has this name in the window.
ActionInfo slice_item(const std::string& name, const std::string& axis) {
  return {.name = "export " + name,
          .arguments = "FILE",
          .help = fmt::format("Save the {} slice as shown: .png in colours, .tif as values", name),
          .menu = "File/Export",
          .title = fmt::format("{}{} slice ...", static_cast<char>(std::toupper(name[0])), name.substr(1)),
          .least = 0,
          .most = 1,
          .run = [name, axis](Model& m, const Action& a) {
            if (a.arguments.empty()) return ask(m, a, name + ".png");
            export_slice(m, {"export slice", {axis, a.arguments[0]}});
          }};
}

void export_histogram(Model& m, const std::string& path) {
  const auto histogram = m.status().histogram;
  if (!histogram) throw InputError("export histogram", "there is no volume yet", "open or reconstruct one");
  std::vector<double> centers, counts;
  const double width = (histogram->high - histogram->low) / static_cast<double>(histogram->bins.size());
  for (std::size_t i = 0; i < histogram->bins.size(); ++i) {
    centers.push_back(histogram->low + width * (static_cast<double>(i) + 0.5));
    counts.push_back(static_cast<double>(histogram->bins[i]));
  }
  save_csv({{"value", centers}, {"samples", counts}}, path);
}

void export_residuals(Model& m, const std::string& path) {
  std::vector<double> iterations;
  for (std::size_t i = 0; i < m.status().residuals.size(); ++i) iterations.push_back(static_cast<double>(i + 1));
  save_csv({{"iteration", iterations}, {"residual", m.status().residuals}}, path);
}

void export_report(Model& m, const std::string& path) {
  if (!m.status().report) throw InputError("export report", "no scan is open", "open one");
  write_text(path, to_json(*m.status().report) + "\n");
}

void export_throughput(Model& m, const std::string& path) {
  std::vector<CsvColumn> c{{"seconds", {}}, {"views", {}}, {"views_per_second", {}}, {"shown_share", {}}};
  for (const ThroughputSample& s : m.status().throughput) {
    c[0].values.push_back(s.seconds);
    c[1].values.push_back(static_cast<double>(s.views));
    c[2].values.push_back(s.views_per_second);
    c[3].values.push_back(s.shown_share);
  }
  save_csv(c, path);
}

void export_interval_rates(Model& m, const std::string& path) {
  std::vector<CsvColumn> c{{"interval", {}}, {"views_per_second", {}}, {"shown_share", {}}};
  for (const IntervalRate& r : m.status().interval_rates.all()) {
    c[0].values.push_back(static_cast<double>(r.interval));
    c[1].values.push_back(r.views_per_second);
    c[2].values.push_back(r.shown_share);
  }
  if (c[0].values.empty())
    throw InputError("export intervals", "no run of live FDK has kept to an interval yet",
                     "set lockstep on, then reconstruct with the intervals of interest");
  save_csv(c, path);
}

void export_profile(Model& m, const std::string& path) {
  for (auto i = m.state().measurements.rbegin(); i != m.state().measurements.rend(); ++i) {
    if (i->kind != Measurement::Kind::profile) continue;
    const auto points = line_points(i->points[0], i->points[1], 512);
    const auto values = m.values_at(points);
    std::vector<double> distance;
    for (const Vec3& p : points) distance.push_back(glm::length(p - points.front()));
    return save_csv({{"mm", distance}, {"value", {values.begin(), values.end()}}}, path);
  }
  throw InputError("export profile", "no line has been drawn", "measure profile first");
}

/// Columns mean to threshold of the table of measurements.
std::string region_cells(Model& m, const Measurement& region) {
  const auto values = m.values_at(box_points(region.points[0], region.points[1], m.status().grid));
  const RegionStatistics r = statistics_of(values);
  const double threshold = m.segment_range()[0];
  return fmt::format("{:.9g},{:.9g},{:.9g},{:.9g},{:.6g},{:.9g}", r.mean, r.deviation, r.low, r.high,
                     share_below(values, threshold), threshold);
}

std::string fwhm_cell(Model& m, const Measurement& profile) {
  const auto points = line_points(profile.points[0], profile.points[1], 401);
  std::vector<double> distance, values;
  for (const float v : m.values_at(points)) values.push_back(v);
  for (const Vec3& p : points) distance.push_back(glm::length(p - points.front()));
  const double fwhm = profile_peak(distance, values).fwhm;
  return std::isfinite(fwhm) ? fmt::format("{:.9g}", fwhm) : "";
}

/// A line a measurement; columns that a kind does not have stay empty.
void export_measurements(Model& m, const std::string& path) {
  using Kind = Measurement::Kind;
  const auto& all = m.state().measurements;
  if (all.empty()) throw InputError("export measurements", "there are none", "measure something first");
  const bool known = !m.status().source || m.status().source->pixel_size_known, there = m.status().generation > 0;
  const std::string length = known ? "mm" : "px";
  std::string text = "number,kind,text,value,unit,mean,deviation,low,high,share_below,threshold,fwhm\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measurement& what = all[i];
    const std::string unit = what.kind == Kind::angle ? "deg" : what.kind == Kind::region ? length + "^3" : length;
    std::string words = what.text;
    std::ranges::replace_if(
        words, [](char c) { return c == '"' || c == '\n'; }, '\'');
    text +=
        fmt::format("{},{},\"{}\",{:.9g},{},{},{}\n", i + 1, measurement_names()[static_cast<std::size_t>(what.kind)],
                    words, measured(what), unit, what.kind == Kind::region && there ? region_cells(m, what) : ",,,,,",
                    what.kind == Kind::profile && there ? fwhm_cell(m, what) : "");
  }
  write_text(path, text);
}

void picture_sequence(Model& m, const std::vector<Turntable>& path, const std::string& pattern, std::int64_t size) {
  if (m.status().generation == 0) throw InputError("export", "there is no volume yet", "open or reconstruct one");
  require(m.hooks.write_pictures, "export")(path, pattern, size);
}

std::int64_t picture_side(Model& m, const Action& a) {
  const std::int64_t side = a.arguments.size() > 2 ? integer(a, 2) : m.state().movie.side;
  if (side < 16 || side > 8192) throw InputError(a.name, fmt::format("{} pixels", side), "take 16 to 8192");
  return side;
}

std::int64_t picture_count(Model& m, const Action& a) {
  return a.arguments[0] == "auto" ? picture_count(m.state().movie) : integer(a, 0);
}

void turntable(Model& m, const Action& a) {
  if (a.arguments.size() < 2) return ask(m, {a.name, {a.arguments.empty() ? "auto" : a.arguments[0]}}, "turn_####.png");
  picture_sequence(m, turntable_path(m.state().camera, picture_count(m, a)), a.arguments[1], picture_side(m, a));
}

void camera_path(Model& m, const Action& a) {
  if (a.arguments.size() < 2) return ask(m, {a.name, {a.arguments.empty() ? "auto" : a.arguments[0]}}, "path_####.png");
  picture_sequence(m, keyframe_path(m.state().keyframes, picture_count(m, a)), a.arguments[1], picture_side(m, a));
}

}  // namespace

std::vector<ActionInfo> file_actions() {
  std::vector<ActionInfo> t{
      {.name = "open",
       .arguments = "FILE",
       .help = "Open a scan, a volume, a PET list-mode file, a session or an example (demo:head)",
       .menu = "File",
       .title = "Open ...",
       .shortcut = "Ctrl+O",
       .least = 0,
       .most = 1,
       .ends_run = true,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return ask(m, a, "");
             const std::string& path = a.arguments[0];
             if (is_scanner(path)) return m.apply({"scanner", {path}});
             if (has_extension(path, {".toml"}) && !has_extension(path, {".scan.toml"})) return load_session(m, path);
             if (m.hooks.offer_import && looks_raw(path) && !in_known_format(path)) return m.hooks.offer_import(path);
             std::error_code unreadable;
             if (m.hooks.offer_import && std::filesystem::is_directory(path, unreadable))
               if (const std::string image = largest_stack(path); !image.empty()) return m.hooks.offer_import(image);
             m.open(path);
           },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"open", {any_of(r, demo_names())}};
           }},
      {.name = "attenuation",
       .arguments = "VOLUME|PHANTOM|none",
       .help = "PET: attenuation map in 1/mm",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return ask(m, a, "");
             edit(m, a, [&](ViewState& s) {
               s.pet.attenuation = a.arguments[0] == "none" ? "" : a.arguments[0];
               s.pet.attenuation_move = s.pet.attenuation_turn = Vec3(0);
             });
           }},
      {.name = "scanner",
       .arguments = "FILE|NAME|none",
       .help = "PET: scanner, or its crystal map",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return ask(m, a, "");
             edit(m, a, [&](ViewState& s) { s.pet.scanner = a.arguments[0] == "none" ? "" : a.arguments[0]; });
           }},
      {.name = "recent",
       .arguments = "NUMBER",
       .help = "Open a recent file, 1 is the newest",
       .least = 1,
       .most = 1,
       .ends_run = true,
       .run = open_recent},
      {.name = "watch",
       .arguments = "FOLDER|tcp://127.0.0.1:PORT|off",
       .help = "Take views from a folder or a socket while they are measured",
       .menu = "File",
       .title = "Watch a folder or address ...",
       .least = 0,
       .most = 1,
       .ends_run = true,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return require(m.hooks.ask_folder, "watch")(a);
             m.watch(a.arguments[0] == "off" ? "" : a.arguments[0]);
           },
       .random =
           [](Model& m, std::mt19937& r) {
             const bool off = m.last_watched().empty() || r() % 4 == 0;
             return Action{"watch", {off ? "off" : m.last_watched()}};
           }},
      {.name = "save session",
       .arguments = "[FILE]",
       .help = "Save files, parameters, camera and colours as text",
       .menu = "File",
       .title = "Save session ...",
       .shortcut = "Ctrl+S",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return ask(m, a, "session.toml");
             save_state(m.state(), a.arguments[0]);
             m.add_recent(a.arguments[0]);
           }},
      {.name = "load session",
       .arguments = "FILE",
       .help = "Load a saved session",
       .least = 1,
       .most = 1,
       .ends_run = true,
       .run = [](Model& m, const Action& a) { load_session(m, a.arguments[0]); }},
      {.name = "export volume",
       .arguments = "FILE",
       .help = fmt::format("Save the volume: {}", fmt::join(volume_extensions(), " ")),
       .menu = "File/Export",
       .title = "Volume ...",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return ask(m, a, "volume.mha");
             m.worker().give(order::ExportVolume{a.arguments[0]});
           }},
      {.name = "export slice",
       .arguments = "x|y|z|oblique FILE",
       .help = "Save a slice through the crosshair (x, y, z), or the oblique one: .png in colours, .tif as values",
       .least = 0,
       .most = 2,
       .run = export_slice},
      slice_item("axial", "z"),
      slice_item("coronal", "y"),
      slice_item("sagittal", "x"),
      slice_item("oblique", "oblique"),
      {.name = "export turntable",
       .arguments = "FRAMES|auto PATTERN [PIXELS]",
       .help = "Pictures from all around, turn_####.png, or a movie, turn.apng or turn.mp4; auto: movie_seconds long",
       .menu = "File/Export",
       .title = "Turntable ...",
       .least = 0,
       .most = 3,
       .run = turntable},
      {.name = "export path",
       .arguments = "FRAMES|auto PATTERN [PIXELS]",
       .help = "Pictures along the camera path, path_####.png, or a movie, path.mp4; auto: movie_seconds long",
       .menu = "File/Export",
       .title = "Camera path ...",
       .least = 0,
       .most = 3,
       .run = camera_path},
      {.name = "cancel export",
       .arguments = "",
       .help = "Stop writing a turntable or camera path; what has been written stays",
       .run = [](Model& m, const Action&) { require(m.hooks.cancel_pictures, "cancel export")(); }},
      {.name = "screenshot",
       .arguments = "FILE [LABEL]",
       .help = "Save the window as PNG, or the part that has this label",
       .menu = "File",
       .shortcut = "F12",
       .least = 0,
       .most = 2,
       .run =
           [](Model& m, const Action& a) {
             require(m.hooks.screenshot, "screenshot")(a.arguments.empty() ? "" : a.arguments[0],
                                                       a.arguments.size() < 2 ? "" : a.arguments[1]);
           }},
      {.name = "file",
       .arguments = "PARAMETER FILE",
       .help = "Choose a file for a parameter that is one, such as initial",
       .least = 1,
       .most = 2,
       .run =
           [](Model& m, const Action& a) {
             ViewState next = m.state();
             Parameter p = find_state_parameter(next, a.arguments[0], m.list_mode());
             if (!std::holds_alternative<std::string*>(p.target) || !p.choices.empty())
               throw InputError("file", a.arguments[0] + " is no file", "name a parameter that is one");
             if (a.arguments.size() < 2) return ask(m, a, a.arguments[0] == "checkpoint" ? "run.checkpoint" : "");
             p.set(a.arguments[1], "file");
             m.edit(std::move(next), a.arguments[0]);
           }},
      {.name = "quit",
       .arguments = "",
       .help = "Quit",
       .menu = "File",
       .shortcut = "Ctrl+Q",
       .ends_run = true,
       .run = [](Model& m, const Action&) { require(m.hooks.quit, "quit")(); }},
  };
  const auto table = [&t](const char* name, const char* title, const char* help,
                          void (*write)(Model&, const std::string&), const std::string& ending = ".csv") {
    t.push_back({.name = std::string("export ") + name,
                 .arguments = "FILE" + ending,
                 .help = std::string("Save ") + help,
                 .menu = "File/Export",
                 .title = std::string(title) + " ...",
                 .least = 0,
                 .most = 1,
                 .run = [write, ending](Model& m, const Action& a) {
                   if (a.arguments.empty()) return ask(m, a, a.name.substr(std::string("export ").size()) + ending);
                   write(m, a.arguments[0]);
                   m.exported(a.arguments[0]);
                 }});
  };
  table("histogram", "Histogram", "the histogram", export_histogram);
  table("residuals", "Residuals", "the residual of each iteration", export_residuals);
  table("throughput", "Throughput", "projections a second and display overhead", export_throughput);
  table("intervals", "Throughput by interval", "throughput of whole runs by refresh interval", export_interval_rates);
  table("profile", "Profile", "values along the last profile line", export_profile);
  table("measurements", "Measurements", "all measurements as a table", export_measurements);
  table("report", "Report", "what was decided and why, repairs and times, as backlit recon --json gives them",
        export_report, ".json");
  return t;
}

}  // namespace backlit::viewer
