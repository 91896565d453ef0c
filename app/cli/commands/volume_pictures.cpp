#include "commands/volume_pictures.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/animated_png.hpp>
#include <backlit/render/png.hpp>
#include "open_session.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

/// Reads "1,2,3": exactly `count` finite numbers.
std::vector<double> numbers(const std::string& text, std::size_t count, const std::string& where, const char* what) {
  std::vector<double> values;
  const char *at = text.data(), *end = at + text.size();
  for (bool more = true; more;) {
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    more = error == std::errc{} && std::isfinite(value);
    if (more) values.push_back(value);
    if (stop == end && more && values.size() == count) return values;
    more = more && stop != end && *stop == ',';
    at = stop + 1;
  }
  throw InputError(where, fmt::format("'{}' is not {} number{}", text, count, count == 1 ? "" : "s"),
                   fmt::format("give {}", what));
}

/// "turn_####.png" and 7 -> "turn_0007.png".
std::string numbered(const std::string& pattern, std::int64_t number) {
  const std::size_t end = pattern.find_last_of('#') + 1, last_other = pattern.find_last_not_of('#', end - 1);
  const std::size_t begin = last_other == std::string::npos ? 0 : last_other + 1;
  return pattern.substr(0, begin) + fmt::format("{:0{}}", number, end - begin) + pattern.substr(end);
}

}  // namespace

Rgb parse_color(const std::string& text, const std::string& where) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const bool right = text.size() == 7 && text[0] == '#' && std::from_chars(text.data() + 1, end, value, 16).ptr == end;
  if (!right) throw InputError(where, fmt::format("'{}' is not a colour", text), "give #rrggbb, as in #ff8000");
  const auto byte = [&](unsigned shift) { return static_cast<std::uint8_t>(value >> shift & 255u); };
  return {byte(16), byte(8), byte(0)};
}

void LookOption::add_flags(CLI::App& app) {
  const auto flag = [&](const char* name, auto& target, const char* help, const char* type) {
    app.add_option(name, target, help)->type_name(type)->group("Look");
  };
  flag("--transfer", transfer,
       "dvr: transfer function, one of assets/transfer_functions (bone, metal, pet-hot, soft-tissue, tooth), a file, "
       "or auto: by the values, as in the viewer (default auto)",
       "NAME|FILE");
  flag("--iso", iso, "iso: value of the surface (default: of the object, or of its denser part, by the values)",
       "VALUE");
  flag("--water", water, "value of water, to which transfer functions in HU refer (default 0.02)", "1/mm");
  flag("--background", background, "colour of the background (default #000000)", "#rrggbb");
  flag("--surface-color", surface, "iso: colour of the surface (default #e8d6b8)", "#rrggbb");
  flag("--antialias", antialias, "n x n rays a pixel, 1 to 4 (default 2)", "N");
}

ValueScale LookOption::scale(std::span<const float> values, const VolumeGrid& grid, const std::string& window) const {
  if (!(water > 0) || !std::isfinite(water))
    throw InputError("--water", fmt::format("{}", water), "give a positive value");
  if (antialias < 1 || antialias > 4) throw InputError("--antialias", fmt::format("{}", antialias), "give 1 to 4");
  const Vec3 extent = grid.upper() - grid.lower();
  return {window_from(window, values, "--window"), water, std::max({extent.x, extent.y, extent.z})};
}

TransferFunction LookOption::transfer_function(const ValueClasses& classes, const VolumeGrid& grid) const {
  return transfer == "auto" ? fitting_transfer_function(classes, grid) : load_transfer_function(transfer);
}

double LookOption::iso_value(const ValueClasses& classes) const {
  return iso.empty() ? fitting_iso(classes) : numbers(iso, 1, "--iso", "a value of the volume")[0];
}

void VolumeLook::add_flags(CLI::App& app) {
  const auto flag = [&](const char* name, auto& target, const char* help, const char* type) {
    app.add_option(name, target, help)->type_name(type)->group("Volume");
  };
  flag("--step", options.step, "distance of samples, 0.05 to 2 (default 0.5)", "VOXELS");
  flag("--crop", crop, "show only the box between two corners", "X0,Y0,Z0,X1,Y1,Z1");
  flag("--clip", clips,
       "cut the volume away beyond a plane through (X,Y,Z), on the side to which (NX,NY,NZ) points; up "
       "to 6 times",
       "X,Y,Z,NX,NY,NZ");
  flag("--gradient-opacity", options.gradient_opacity,
       "dvr: makes even parts clear and keeps borders, 0 to 1 (default 0)", "SHARE");
  flag("--shadows", options.shadows, "dvr, iso: soft shadows, 0 to 1 (default 0)", "SHARE");
  flag("--occlusion", options.occlusion, "dvr, iso: hollows and gaps become dark, 0 to 1 (default 0)", "SHARE");
  app.add_flag("--unshaded{false}", options.shaded, "dvr: without shading")->group("Volume");
  app.add_flag("--jitter", options.jitter, "shift the samples of each ray: noise in place of rings")->group("Volume");
}

void VolumeLook::apply() {
  if (!crop.empty()) {
    const auto n = numbers(crop, 6, "--crop", "X0,Y0,Z0,X1,Y1,Z1 in mm");
    options.crop_low = {n[0], n[1], n[2]};
    options.crop_high = {n[3], n[4], n[5]};
  }
  for (const std::string& clip : clips) {
    const auto n = numbers(clip, 6, "--clip", "X,Y,Z,NX,NY,NZ in mm");
    options.clips.push_back({{n[0], n[1], n[2]}, {n[3], n[4], n[5]}});
  }
  options.check();
}

void write_frames(const std::string& output, const CameraOption& camera,
                  const std::function<Image(std::int64_t)>& frame) {
  if (camera.frames > 1 && output.find('#') != std::string::npos) {
    for (std::int64_t i = 0; i < camera.frames; ++i) require_writable(numbered(output, i), {".png"});
    for (std::int64_t i = 0; i < camera.frames; ++i) save_png(frame(i), numbered(output, i));
    return;
  }
  require_writable(output, {".png"});
  if (camera.frames == 1) return save_png(frame(0), output);
  AnimatedPng file(output, camera.frames, camera.fps);
  for (std::int64_t i = 0; i < camera.frames; ++i) file.add(frame(i));
  file.commit();
}

std::unique_ptr<Renderer> renderer_of_volume(const std::string& input, const DeviceOptions& asked,
                                             const Console& console) {
  if (asked.backend != "auto" && asked.backend != "gl" && asked.backend != "cpu")
    throw InputError("--backend", fmt::format("{} cannot render pictures", asked.backend), "choose gl or cpu");
  auto volume = std::make_shared<const Volume>(load_volume(input));
  if (asked.backend == "cpu") return make_renderer(std::move(volume), nullptr);
  DeviceOptions gl = asked;
  gl.backend = "gl";
  try {
    return make_renderer(volume, start_backend(gl, console));
  } catch (const Failure& reason) {
    if (asked.backend == "gl") throw;
    console.warn(fmt::format("rendering in software: {}", reason.what()));
    return make_renderer(std::move(volume), nullptr);
  }
}

std::unique_ptr<Renderer> renderer_of_scan(const std::string& file, const FilterOptions& filter,
                                           const DeviceOptions& asked, const Console& console) {
  if (asked.backend != "auto" && asked.backend != "gl")
    throw Unsupported("--backend", "only gl renders from projections", "leave it out");
  const Session session = open_session(file, {}, console);
  DeviceOptions gl = asked;
  gl.backend = "gl";
  TerminalProgress bar(console.quiet);
  auto renderer = make_renderer(*session.projections(), session.grid(), filter, start_backend(gl, console),
                                Watch(bar, interrupt()));
  warn_of_repairs(session.report(), console);
  return renderer;
}

PicturesMade render_pictures(Renderer& renderer, const std::string& input, const std::string& output, PictureOptions& o,
                             const Console& console,
                             const std::function<Image(const Image&, const Finish&)>& annotate) {
  VolumeRenderOptions& options = o.volume.options;
  options.mode = volume_mode_from(o.mode);
  o.volume.apply();
  o.camera.open(input);
  // Percentiles of a window refer to the volume's values for transfer functions, and to the rays' results otherwise.
  const PictureKind kind = picture_kind(options.mode);
  const ValueScale scale = o.look.scale(renderer.values(), renderer.grid(), o.window);
  const ValueClasses classes = classes_of(renderer.values());
  const TransferFunction transfer = o.look.transfer_function(classes, renderer.grid());
  const Classifier classifier(transfer, scale);
  options.iso = o.look.iso_value(classes);
  Finish finish{scale.window, o.map, parse_color(o.look.background, "--background"),
                parse_color(o.look.surface, "--surface-color")};
  PicturesMade made{0, 0, o.camera.frames, renderer.device(), transfer.name, finish.window, options.iso};
  TerminalProgress progress(console.quiet);
  const Watch watch(progress, interrupt());
  watch.begin("render", o.camera.frames, "frames");
  write_frames(output, o.camera, [&](std::int64_t i) {
    const CameraRays rays = supersampled(o.camera.rays(i, renderer.grid(), o.size), o.look.antialias);
    const auto found = renderer.render(rays, options, classifier);
    if (kind == PictureKind::values && i == 0) made.window = finish.window = found_window(found, o.window, "--window");
    Image image = shrunk(finish_picture(found, kind, rays, finish), o.look.antialias);
    if (annotate) image = annotate(image, finish);
    made.width = image.width;
    made.height = image.height;
    watch.advance(1);
    return image;
  });
  watch.end();
  return made;
}

}  // namespace backlit::cli
