#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/data/hounsfield.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/scaled_tiff.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include <backlit/render/isosurface.hpp>
#include "command.hpp"
#include "image_data.hpp"
#include "open_session.hpp"
#include "output_path.hpp"
#include "rest_of_scan.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string input, output;
  std::optional<double> isosurface;
  std::string backend = "auto";  ///< of the surface
  std::int64_t bits = 32;
  PreparationOptions preparation;
  std::vector<double> range;    ///< of 16-bit counts; empty: that of the values
  bool hounsfield = false;      ///< values become HU
  std::optional<double> water;  ///< attenuation, in the unit of the values
  Console console;
};

bool names_scan(const fs::path& path) { return has_extension(path, saved_extensions(scan_formats())); }

/// In Hounsfield units where they were asked for.
void read_images(const ConvertArguments& o, StackReader& stack, std::int64_t first, std::int64_t count,
                 std::span<float> images) {
  stack.read(first, count, images);
  if (o.hounsfield) to_hounsfield(images, *o.water);
}

/// 16-bit counts over the range that was asked for, or that the values have.
std::unique_ptr<StackWriter> scaled_writer(const ConvertArguments& o, StackReader& stack, const VolumeGrid& grid,
                                           const Watch& watch) {
  if (!has_extension(o.output, {".tif", ".tiff"}))
    throw InputError("--bits", "16-bit output needs TIFF", "name the output .tif, or leave --bits out");
  CountRange range;
  if (o.range.empty()) {
    range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::vector<float> images;
    in_batches(watch, "find range", grid.size[2], grid.size[0] * grid.size[1], "slices",
               [&](std::int64_t first, std::int64_t count) {
                 images.resize(static_cast<std::size_t>(count * grid.size[0] * grid.size[1]));
                 read_images(o, stack, first, count, images);
                 for (const float value : images)
                   if (std::isfinite(value)) {
                     range.low = std::min(range.low, static_cast<double>(value));
                     range.high = std::max(range.high, static_cast<double>(value));
                   }
               });
    if (range.low == range.high) range.high = range.low + 1;
  } else {
    range = {o.range[0], o.range[1]};
  }
  o.console.say("scale", fmt::format("value = {:.9g} + {:.9g} x counts", range.low, range.step()));
  return create_scaled_tiff(o.output, grid, range);
}

/// Converts slices in batches: the volume may be larger than memory.
void convert_volume(const ConvertArguments& o) {
  require_writable(o.output, volume_extensions());
  const auto stack = open_stack(o.input);
  const StackInfo& info = stack->info();
  VolumeGrid grid;
  grid.size = {info.columns, info.rows, info.images};
  grid.spacing = info.spacing.value_or(Vec3(1));
  grid.center = info.center.value_or(Vec3(0));
  grid.check(o.input.c_str());
  refuse_overwriting({o.output}, files_of(o.input));
  require_writable(o.output, volume_extensions(), o.output.ends_with(".gz") ? 0 : 4 * grid.voxels());
  if (o.bits != 16 && !keeps_grid(o.output) && info.spacing)
    o.console.warn(fmt::format("{}: this format does not keep the voxel size of {:.6g} x {:.6g} x {:.6g} mm", o.output,
                               grid.spacing.x, grid.spacing.y, grid.spacing.z));
  if (holds_hounsfield(o.output) && !o.hounsfield && info.format != "dicom")
    o.console.warn(fmt::format("{}: DICOM viewers take values for HU; --hu makes them of 1/mm", o.output));
  TerminalProgress bar(o.console.quiet);
  const auto writer = o.bits == 16 ? scaled_writer(o, *stack, grid, {bar, interrupt()}) : create_volume(o.output, grid);
  std::vector<float> images;
  in_batches({bar, interrupt()}, "convert", info.images, info.pixels(), "slices",
             [&](std::int64_t first, std::int64_t count) {
               images.resize(static_cast<std::size_t>(count * info.pixels()));
               read_images(o, *stack, first, count, images);
               writer->write(images);
             });
  writer->commit();
}

/// Those of the scan file, none or chosen ones, and those that were asked for.
CorrectionOptions corrections_for(const ConvertArguments& o) {
  SessionOptions plain;
  plain.preparation.correct = CorrectionSource::none;
  CorrectionOptions base;
  if (o.preparation.correct == CorrectionSource::file) base = load_scan(o.input).corrections;
  if (o.preparation.correct == CorrectionSource::automatic) {
    const Session session = open_session(o.input, plain, o.console);
    TerminalProgress bar(o.console.quiet);
    const ChosenCorrections chosen =
        choose_corrections(*session.measured(), {session.file().flats, session.file().darks, {}}, {bar, interrupt()});
    for (const std::string& reason : chosen.reasons) o.console.say("looked for", reason);
    base = chosen.options;
  }
  check_idle(o.preparation, base);
  CorrectionOptions corrections = over(base, o.preparation.corrections);
  const std::string text = to_text(corrections);
  o.console.say("corrections", text.empty() ? "none" : text);
  return corrections;
}

bool corrections_asked(const ConvertArguments& o) {
  return o.preparation.correct != CorrectionSource::file || !(o.preparation.corrections == CorrectionOptions{});
}

/// A .scan.toml names the data of the scan that it was made from.
void convert_scan(const ConvertArguments& o) {
  require_writable(o.output, saved_extensions(scan_formats()));
  const ScanFile file = load_scan(o.input);
  refuse_overwriting({o.output}, file.inputs);
  for (const auto& note : file.notes) o.console.warn(in_flags(note));
  const bool asked = corrections_asked(o);
  if (!asked && has_extension(file.path, {".toml"}))
    throw InputError(o.input, "is a Backlit scan already", "copy it, edit it as it is, or add --correct auto");
  save_with_corrections(file, asked ? corrections_for(o) : CorrectionOptions{}, o.output);
}

void convert_surface(const ConvertArguments& o) {
  require_writable(o.output, mesh_extensions());
  refuse_overwriting({o.output}, files_of(o.input));
  const Volume volume = load_shown(o.input, o.console);
  Mesh mesh;
  start_backend({.backend = o.backend}, o.console, [&](Backend& backend) {
    TerminalProgress bar(o.console.quiet);
    mesh = isosurface(backend, volume, *o.isosurface, {bar, interrupt()});
  });
  save_mesh(mesh, o.output);
  o.console.say("surface", fmt::format("{} triangles, {:.6g} mm2 around {:.6g} mm3", mesh.triangles.size(), mesh.area(),
                                       mesh.volume()));
}

void convert(const ConvertArguments& o) {
  const bool mesh = has_extension(o.output, mesh_extensions());
  if (is_list_mode(o.input))
    throw InputError(o.input, "a list of PET events; convert takes scans and volumes", "backlit pet reconstructs it");
  if (has_extension(o.output, list_mode_extensions()))
    throw InputError(o.output, "a list of PET events; convert writes scans, volumes and surfaces",
                     "backlit simulate --listmode writes lists");
  if (mesh && !o.isosurface)
    throw InputError("--isosurface", "a surface needs its value", "give it in the volume's unit, 1/mm for attenuation");
  if (!mesh && o.isosurface)
    throw InputError("--isosurface", fmt::format("{} cannot hold a surface", o.output),
                     fmt::format("use {}", fmt::join(mesh_extensions(), ", ")));
  if (!mesh && o.backend != "auto") throw InputError("--backend", "only surfaces are made on a device", "leave it out");
  if (!o.range.empty() && o.bits != 16)
    throw InputError("--range", "only 16-bit counts have a range", "add --bits 16, or leave it out");
  if (corrections_asked(o) && !names_scan(o.output))
    throw InputError("--correct", "corrections are kept in a scan file", "name the output NAME.scan.toml");
  if (o.hounsfield && (mesh || names_scan(o.output)))
    throw InputError("--hu", "only values of volumes have units", "leave it out");
  if (o.hounsfield && !o.water)
    throw InputError("--hu", "needs the attenuation of water", "add it, such as --water 0.02");
  if (!o.hounsfield && o.water)
    throw InputError("--water", "only Hounsfield units need it", "add --hu, or leave it out");
  if (mesh)
    convert_surface(o);
  else if (names_scan(o.output))
    convert_scan(o);
  else
    convert_volume(o);
  o.console.say("wrote", o.output);
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "convert", "Turn a scanner's file into a scan file to edit, a volume into another format or a surface");
  const auto o = std::make_shared<ConvertArguments>();
  command->add_option("INPUT", o->input, "scan (a scanner's own file, or its folder), volume or stack of images")
      ->required();
  command
      ->add_option("-o,--output", o->output,
                   fmt::format("{} for a scan; for a volume {}; for a surface {}",
                               fmt::join(saved_extensions(scan_formats()), ", "), fmt::join(volume_extensions(), ", "),
                               fmt::join(mesh_extensions(), ", ")))
      ->type_name("FILE")
      ->required();
  command->add_option("--isosurface", o->isosurface, "value of the surface at which a volume is cut, for .stl and .ply")
      ->type_name("VALUE");
  command->add_option("--backend", o->backend, "device that makes the surface; auto: a GPU, else the CPU [auto]")
      ->check(CLI::IsMember({"auto", "cpu", "gl"}));
  command
      ->add_option("--bits", o->bits, "16: TIFF of 16-bit counts, their scale stated in the file as ImageJ does [32]")
      ->check(CLI::IsMember({16, 32}));
  command->add_option("--range", o->range, "values of counts 0 and 65535 (default: the smallest and the largest)")
      ->type_name("LOW HIGH")
      ->expected(2);
  add_correction_flags(*command, o->preparation);
  command->add_flag("--hu", o->hounsfield, "write Hounsfield units; water attenuates --water");
  command->add_option("--water", o->water, "attenuation of water in the volume's unit, for --hu")
      ->check(CLI::PositiveNumber);
  o->console.add_flags(*command, false);
  command->footer(
      "The scan file holds the geometry to edit; its data stay where they are. --correct auto writes the corrections\n"
      "that the projections need into it.\n"
      "Example: backlit convert part.xtekct -o part.scan.toml");
  command->callback([o, &action] { action = [o] { convert(*o); }; });
}

}  // namespace backlit::cli
