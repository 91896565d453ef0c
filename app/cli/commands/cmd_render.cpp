#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/annotate.hpp>
#include <backlit/render/contact_sheet.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/png.hpp>
#include "command.hpp"
#include "commands/volume_pictures.hpp"
#include "image_data.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "options/plane_option.hpp"
#include "output_path.hpp"

namespace backlit::cli {
namespace {

struct RenderArguments {
  std::string input, output;
  std::string mode = "slice", axis, position = "middle", map = "gray";
  std::string window = "0.1%,99.9%", narrow, truth, title, unit = "1/mm";
  std::optional<std::int64_t> view;
  std::int64_t size = 0;
  bool annotate = false;
  std::string style = "iso";  ///< mode d2vr only
  PictureOptions scene;       ///< modes with a camera only
  PlaneOption plane;
  FilterOptions filter;
  Console console;
};

Parameters describe(RenderArguments& o) {
  return {{"mode",
           &o.mode,
           "slice; sheet: three slices; seen by a camera: mip: largest values, average, drr: line integrals, iso: a "
           "surface, dvr: light through a transfer function; d2vr: the same directly from projections",
           "",
           0,
           0,
           {"slice", "sheet", "mip", "average", "drr", "iso", "dvr", "d2vr"}},
          {"style", &o.style, "d2vr: mode of the camera", "", 0, 0, {"iso", "direct", "mip", "drr"}},
          {"axis",
           &o.axis,
           "slice (default z), or mip without a camera: direction to look along",
           "",
           0,
           0,
           {"x", "y", "z"}},
          {"colormap", &o.map, "colours from low to high", "", 0, 0, colormap_names()},
          {"size", &o.size,
           "longest side of the picture, or of a slice in a sheet; 0: one pixel a voxel, sheets 256, 512 with a camera",
           "px", 0, 16384}};
}

Vec3 where_slices_meet(const std::string& text, const Vec3& middle) {
  return text == "middle" ? middle : parse_point(text, "--position");
}

double slice_position(const std::string& text, double middle) {
  if (text == "middle") return middle;
  try {
    std::size_t used = 0;
    const double mm = std::stod(text, &used);
    if (used == text.size()) return mm;
  } catch (const std::exception&) {
  }
  throw InputError("--position", fmt::format("'{}' is neither 'middle' nor a number in mm", text));
}

/// "px" if the file does not give the size of a pixel or voxel.
std::string length_unit(const RenderArguments& o) {
  const bool known =
      is_scan(o.input) ? load_scan(o.input).pixel_size_known : open_stack(o.input)->info().spacing.has_value();
  return known ? "mm" : "px";
}

/// Whether a camera takes the picture, of a volume or directly of projections (D2VR).
bool has_camera(const RenderArguments& o) {
  const auto& modes = volume_mode_names();
  return o.mode == "d2vr" || (o.axis.empty() && std::ranges::find(modes, o.mode) != modes.end());
}

/// Refuses flags that would have no effect.
void refuse_idle_flags(const RenderArguments& o) {
  const bool scan = is_scan(o.input), is_sheet = o.mode == "sheet";
  const auto refuse = [](const char* flag, bool given, const char* belongs, const char* remedy) {
    if (given) throw InputError(flag, belongs, remedy);
  };
  refuse("--truth", !is_sheet && !o.truth.empty(), "it belongs to sheets", "add --mode sheet");
  refuse("--narrow", !is_sheet && !o.narrow.empty(), "it belongs to sheets", "add --mode sheet");
  refuse("--title", !is_sheet && !o.title.empty(), "it belongs to sheets", "add --mode sheet");
  const bool cut = o.plane.asked();
  refuse("--plane", cut && o.mode != "slice", "it belongs to slices", "add --mode slice");
  refuse("--pixel", !cut && o.plane.pixel > 0, "it belongs to a plane", "add --plane");
  refuse("--view", cut && o.view.has_value(), "a plane is computed from all views", "leave it out");
  refuse("--position", cut && o.position != "middle", "--plane already gives the position", "leave it out");
  refuse("--axis", cut && !o.axis.empty(), "--plane already gives the position", "leave it out");
  refuse("--style", o.mode != "d2vr" && o.style != "iso", "it belongs to rendering from projections",
         "add --mode d2vr");
  refuse("--filter", !(scan && (cut || o.mode == "d2vr")) && o.filter.window != FilterWindow::ram_lak,
         "it belongs to what is reconstructed from a scan", "add --plane or --mode d2vr");
  refuse("--view", !scan && o.view.has_value(), "it chooses a view of a scan, and this is a volume",
         "use --axis and --position");
  refuse("--axis", (scan || (o.mode != "slice" && o.mode != "mip")) && !o.axis.empty(),
         "it belongs to a slice or projection of a volume", "leave it out");
  refuse("--azimuth and other camera options", !has_camera(o) && o.scene.camera.asked(), "they belong to a camera",
         "add --mode mip, average, drr, iso, dvr or d2vr");
  refuse("--position", (scan || (!is_sheet && o.mode != "slice")) && o.position != "middle",
         "it belongs to slices of a volume", "leave it out");
  refuse("--annotate", is_sheet && o.annotate, "sheets have their bars already", "leave it out");
  refuse("--colormap", is_sheet && o.map != "gray", "sheets choose their own colours", "leave it out");
}

/// One view as a picture, rows along +v upwards.
Plane projection_plane(const RenderArguments& o) {
  const Session session = open_session(o.input, {}, o.console);
  const std::int64_t views = session.scan().view_count();
  const std::int64_t view = o.view.value_or(views / 2);
  if (view < 0 || view >= views)
    throw InputError("--view", fmt::format("{} of {} views", view, views), "views are counted from 0");
  const Detector& d = session.scan().detector;
  Volume image(VolumeGrid{{d.columns, d.rows, 1}, {d.pixel_u, d.pixel_v, 1}, {0, 0, 0}});
  session.projections()->read(view, 1, image.values.span());
  return extract_slice(image, Axis::z, 0);
}

Plane volume_plane(const RenderArguments& o) {
  const Volume volume = load_shown(o.input, o.console);
  const Axis axis = axis_from(o.axis.empty() ? "z" : o.axis);
  if (o.mode == "mip") return maximum_projection(volume, axis);
  return extract_slice(volume, axis, slice_position(o.position, volume.grid.center[static_cast<int>(axis)]));
}

double text_size(const Image& picture) { return std::clamp(static_cast<double>(picture.width) / 24, 9.0, 32.0); }

/// The picture with a colour bar below it.
Image with_color_bar(const Image& picture, const Window& window, const Colormap& map, const std::string& unit) {
  const double text = text_size(picture);
  const auto em = static_cast<std::int64_t>(text);
  Image page(picture.width, picture.height + 3 * em, {24, 24, 28});
  page.paste(picture, 0, 0);
  draw_color_bar(page, em, picture.height + em / 2, picture.width - 2 * em, em, window, map, unit, text);
  return page;
}

constexpr std::int64_t legible = 240;  // px, width that the bars and their text need

/// Repeats each pixel as a square of `factor` x `factor`, so that text fits.
Image enlarged(const Image& picture, std::int64_t factor) {
  Image large(picture.width * factor, picture.height * factor);
  for (std::int64_t y = 0; y < large.height; ++y)
    for (std::int64_t x = 0; x < large.width; ++x) large.at(x, y) = picture.at(x / factor, y / factor);
  return large;
}

/// The picture with a colour bar and a scale bar.
Image annotated(const Image& small, const Window& window, const Colormap& map, double mm_per_pixel,
                const std::string& unit, const std::string& length_unit) {
  const std::int64_t factor = (legible + small.width - 1) / small.width;
  const Image picture = enlarged(small, factor);
  mm_per_pixel /= static_cast<double>(factor);
  Image page = with_color_bar(picture, window, map, unit);
  const double text = text_size(picture);
  const auto em = static_cast<std::int64_t>(text);
  draw_scale_bar(page, picture.width - em, picture.height - em, picture.width, mm_per_pixel, text, length_unit);
  return page;
}

/// The values in a plane that the user placed, one value for each pixel.
Plane plane_picture(const RenderArguments& o) {
  if (!is_scan(o.input)) return cut_volume(o.input, o.plane, o.size);
  return cut_scan(o.input, o.plane, o.size, o.filter, o.scene.backend, o.console);
}

Image single_picture(const RenderArguments& o) {
  const bool scan = is_scan(o.input);
  if (scan && o.mode != "slice")
    throw InputError("--mode", fmt::format("'{}' needs a volume, and {} is a scan", o.mode, o.input),
                     "reconstruct it first, or leave the mode out to see one view");
  const bool cut = o.plane.asked();
  const Plane plane = cut ? plane_picture(o) : scan ? projection_plane(o) : volume_plane(o);
  const Window window = window_from(o.window, plane.values, "--window");
  const Vec3 extent(static_cast<double>(plane.width) * plane.pixel_x, static_cast<double>(plane.height) * plane.pixel_y,
                    0);
  const double step = o.size > 0 && !cut ? std::max(extent.x, extent.y) / static_cast<double>(o.size)
                                         : std::min(plane.pixel_x, plane.pixel_y);
  const Image picture = colorize(plane, window, colormap(o.map), step);
  if (!o.annotate) return picture;
  return annotated(picture, window, colormap(o.map), step, scan && !cut ? "line integral" : o.unit, length_unit(o));
}

Image sheet(const RenderArguments& o) {
  const Volume volume = load_shown(o.input, o.console);
  SheetOptions options;
  options.title = o.title;
  options.unit = o.unit;
  options.length_unit = length_unit(o);
  options.window = window_from(o.window, volume.values.span(), "--window");
  if (!o.narrow.empty()) options.narrow = window_from(o.narrow, volume.values.span(), "--narrow");
  options.position = where_slices_meet(o.position, volume.grid.center);
  if (o.size > 0) options.panel = std::max<std::int64_t>(64, o.size);
  if (o.truth.empty()) return contact_sheet(volume, nullptr, options);
  const Volume truth = load_shown(o.truth, o.console);
  return contact_sheet(volume, &truth, options);
}

/// Takes pictures with a camera.
void take_pictures(RenderArguments& o) {
  const bool projections = o.mode == "d2vr";
  if (is_scan(o.input) && !projections)
    throw InputError("--mode", fmt::format("'{}' needs a volume, and {} is a scan", o.mode, o.input),
                     "reconstruct it first, render it with --mode d2vr, or leave the mode out to see one view");
  if (!is_scan(o.input) && projections)
    throw InputError("--mode", fmt::format("'d2vr' needs a scan, and {} is a volume", o.input),
                     "choose mip, average, drr, iso or dvr");
  PictureOptions& scene = o.scene;
  scene.mode = !projections ? o.mode : o.style == "direct" ? "dvr" : o.style;
  scene.map = o.map;
  scene.window = o.window;
  scene.size = o.size;
  const bool values = picture_kind(volume_mode_from(scene.mode)) == PictureKind::values;
  if (o.annotate && !values)
    throw InputError("--annotate", "iso and dvr have no colour bar", "leave it out, or choose mip, average or drr");
  const auto annotate = [&](const Image& picture, const Finish& finish) {
    return with_color_bar(picture, finish.window, colormap(o.map), scene.mode == "drr" ? "line integral" : o.unit);
  };
  const auto renderer = projections ? renderer_of_scan(o.input, o.filter, scene.backend, o.console)
                                    : renderer_of_volume(o.input, scene.backend, o.console);
  const PicturesMade made =
      render_pictures(*renderer, o.input, o.output, scene, o.console,
                      o.annotate ? std::function<Image(const Image&, const Finish&)>(annotate) : nullptr);
  o.console.say("device", made.device);
  if (scene.mode == "dvr") o.console.say("transfer", made.transfer);
  if (scene.mode == "iso") o.console.say("iso", fmt::format("{:.5g}", made.iso));
  if (values) o.console.say("window", fmt::format("{:.5g} to {:.5g}", made.window.low, made.window.high));
  const std::string frames = made.frames > 1 ? fmt::format(", {} frames", made.frames) : "";
  o.console.say("wrote", fmt::format("{}: {} x {} px{}", o.output, made.width, made.height, frames));
  nlohmann::ordered_json json{
      {"mode", o.mode}, {"size", {made.width, made.height}}, {"frames", made.frames}, {"device", made.device}};
  if (values) json["window"] = {made.window.low, made.window.high};
  if (projections) json["style"] = o.style;
  if (scene.mode == "iso") json["iso"] = made.iso;
  if (scene.mode == "dvr") json["transfer"] = made.transfer;
  json["output"] = o.output;
  o.console.print_json(json_text(json));
}

void render(RenderArguments& o) {
  if (o.scene.camera.frames <= 1) require_writable(o.output, {".png"});
  refuse_overwriting({o.output}, {o.input, o.truth});
  refuse_idle_flags(o);
  if (has_camera(o)) return take_pictures(o);
  const Image image = o.mode == "sheet" ? sheet(o) : single_picture(o);
  save_png(image, o.output);
  o.console.say("wrote", fmt::format("{}: {} x {} px", o.output, image.width, image.height));
  o.console.print_json(
      json_text(nlohmann::ordered_json{{"mode", o.mode}, {"size", {image.width, image.height}}, {"output", o.output}}));
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("render", "Make a picture of a volume, or of one view of a scan");
  const auto o = std::make_shared<RenderArguments>();
  command->add_option("INPUT", o->input, "volume, or a scan file (*.scan.toml) to see one view of")->required();
  command->add_option("-o,--output", o->output, "picture to write (.png)")->type_name("IMAGE.png")->required();
  add_parameter_flags(*command, describe(*o), "Picture");
  command
      ->add_option("--position", o->position,
                   "where to cut along the axis; in a sheet x,y,z where the three slices meet (default middle)")
      ->type_name("mm|middle")
      ->group("Picture");
  command
      ->add_option("--window", o->window,
                   "values shown as the first and last colour, in 1/mm or percentiles (default 0.1%,99.9%)")
      ->type_name("LOW,HIGH")
      ->group("Picture");
  command->add_option("--unit", o->unit, "text at the colour bar (default 1/mm)")->type_name("TEXT")->group("Picture");
  command
      ->add_flag("--annotate", o->annotate,
                 "add a scale bar (mm) and a colour bar; pictures narrower than 240 pixels are enlarged by a whole "
                 "factor. Not for sheets, which have theirs, nor for iso and dvr, whose colours are light")
      ->group("Picture");
  command->add_option("--view", o->view, "scan: index of the view, from 0 (default: the middle one)")
      ->type_name("INDEX")
      ->group("Picture");
  o->scene.camera.add_flags(*command);
  o->scene.look.add_flags(*command);
  o->scene.volume.add_flags(*command);
  add_parameter_flags(*command, describe(o->scene.backend), "Method");
  o->plane.add_flags(*command);
  add_parameter_flags(*command, describe(o->filter), "Plane, d2vr");
  command->add_option("--truth", o->truth, "sheet: the true volume, shown with the difference")
      ->type_name("VOLUME")
      ->group("Sheet");
  command->add_option("--narrow", o->narrow, "sheet: a second window for faint contrasts, 1/mm")
      ->type_name("LOW,HIGH")
      ->group("Sheet");
  command->add_option("--title", o->title, "sheet: a line on top")->type_name("TEXT")->group("Sheet");
  o->console.add_flags(*command, true);
  command->footer(
      "Axial pictures (--axis z) show +x to the right and +y up; the others +z up. So does a camera at --azimuth -90\n"
      "--elevation 90. Cameras are rendered by the gl backend, or slowly in software with --backend cpu.\n"
      "Example: backlit render head.mha -o head.png --axis x --position 12.5 --window 0.018,0.022 --annotate\n"
      "         backlit render head.mha -o turn.png --mode dvr --transfer bone --frames 60 --elevation 15\n"
      "         backlit render head.scan.toml -o bone.png --mode d2vr --iso 0.03 --zoom 4");
  command->callback([o, &action] { action = [o] { render(*o); }; });
}

}  // namespace backlit::cli
