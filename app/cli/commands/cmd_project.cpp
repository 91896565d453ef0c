#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/recon/method_options.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "options/line_models.hpp"
#include "options/old_variant.hpp"
#include "output_path.hpp"
#include "recon/support_mask.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

struct ProjectArguments {
  std::string volume, scan, output;
  std::string model = "joseph";
  CtOptions ct{.precision = Precision::exact};  ///< all fields except `model`
  EmissionWords emission;
  std::vector<std::string> given;  ///< options of the projector that the command line sets
  bool timings = false;            ///< time each pass on the device
  Console console;
  DeviceOptions backend{.backend = "cpu"};
};

Parameters describe(ProjectArguments& o) {
  Parameters list{
      {"model", &o.model, "projector", "", 0, 0, line_models()},
      choice("precision", o.ct.precision, "exact: interpolation in software; fast: in hardware; half: fp16 storage",
             {"exact", "fast", "half"}),
      choice("packing", o.ct.packing, "how values share a texel", {"auto", "none", "slices", "orbit"})};
  Parameters own = describe(o.ct), light = describe(o.emission);
  set_needs(own, {model_from(o.model)});
  if (o.model != "emission")
    for (Parameter& p : light) p.needs = "`model` emission";
  append(list, std::move(own));
  append(list, std::move(light));
  return list;
}

std::unique_ptr<LinearOperator> make_projector(Backend& backend, const VolumeGrid& grid, const Scan& scan,
                                               const std::optional<Volume>& attenuation, const ProjectArguments& o) {
  if (o.model != "emission") {
    CtOptions options = o.ct;
    options.model = model_from(o.model);
    return backend.make_ct(grid, scan, options);
  }
  const EmissionOptions options = emission_options(o.emission, o.ct.precision, o.ct.pipeline);
  if (attenuation) return backend.make_emission(grid, scan, attenuation->values.span(), options);
  const HostArray<float> nothing(grid.voxels());
  return backend.make_emission(grid, scan, nothing.span(), options);
}

/// The attenuation volume, which must have the same grid; empty if no file is named.
std::optional<Volume> read_attenuation(const ProjectArguments& o, const VolumeGrid& grid) {
  if (o.emission.attenuation.empty()) return {};
  std::optional<Volume> volume = load_volume(o.emission.attenuation);
  require_on_grid(*volume, grid, o.emission.attenuation);
  return volume;
}

void project(const ProjectArguments& o) {
  require_writable(o.output, projection_extensions());
  ProjectArguments mine = o, plain;
  check(describe(mine), describe(plain), o.given);
  if (o.model == "emission" && (o.ct.packing == Packing::slices || o.ct.packing == Packing::orbit))
    throw InputError("packing", "emission has no packing", "use --packing auto");
  TerminalProgress bar(o.console.quiet);
  const Volume volume = load_volume(o.volume, {bar, interrupt()});
  const std::optional<Volume> attenuation = read_attenuation(o, volume.grid);
  const ScanFile file = load_scan_geometry(o.scan);
  std::vector<std::filesystem::path> inputs = files_of(o.volume);
  if (attenuation) inputs.emplace_back(o.emission.attenuation);
  inputs.insert(inputs.end(), file.inputs.begin(), file.inputs.end());
  refuse_overwriting({o.output}, inputs);
  const std::int64_t views = file.scan.view_count(), pixels = file.scan.detector.pixels();
  require_writable(o.output, projection_extensions(), 4 * views * pixels);

  std::unique_ptr<Backend> backend;  // must outlive the projector
  std::unique_ptr<LinearOperator> projector;
  backend = start_backend(o.backend, o.console, [&](Backend& candidate) {
    projector = make_projector(candidate, volume.grid, file.scan, attenuation, o);
  });
  o.console.detail(fmt::format("variant {}", projector->variant()));
  backend->time_passes(o.timings);
  const ArrayPtr x = projector->make_domain();
  backend->upload(volume.values.span(), *x);

  const auto writer = create_projections(file.scan, o.output);  // writes views to the disk as they are computed
  const bool packed = o.ct.packing == Packing::orbit && projector->prefers_whole();
  const std::int64_t batch = packed ? views : std::min<std::int64_t>(views, 8);
  std::vector<float> made;
  bar.begin("project", views, "views");
  for (std::int64_t first = 0; first < views; first += batch) {
    interrupt().check();
    const std::int64_t n = std::min(batch, views - first);
    const ArrayPtr y = projector->make_range(n);
    projector->forward(*x, *y, {first, n, 1}, Write::overwrite);
    made.resize(static_cast<std::size_t>(n * pixels));
    backend->download(*y, made);
    writer->write(made);
    bar.advance(n);
  }
  bar.end();
  writer->commit();
  PassTimes passes;
  if (o.timings) passes = backend->pass_times();

  const Detector& d = file.scan.detector;
  o.console.say("volume", fmt::format("{}: {} voxels", o.volume, size_text(volume.grid.size)));
  o.console.say("method", fmt::format("{} ({}) on {}", o.model, projector->variant(), device_text(*backend)));
  print_passes(passes, o.console);
  o.console.say("wrote", fmt::format("{}: {} views of {} x {}", o.output, views, d.columns, d.rows));
  nlohmann::ordered_json json{{"backend", backend->name()},         {"device", backend->device()},
                              {"variant", projector->variant()},    {"views", views},
                              {"size", {d.columns, d.rows, views}}, {"output", o.output}};
  for (const auto& [pass, time] : passes) json["passes"][pass] = {{"calls", time.calls}, {"seconds", time.seconds}};
  o.console.print_json(json_text(json));
}

}  // namespace

void add_project(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("project", "Forward project a volume");
  const auto o = std::make_shared<ProjectArguments>();
  command->add_option("VOLUME", o->volume, "volume to project, in 1/mm; emission: activity")->required();
  command
      ->add_option("--scan", o->scan,
                   "scan file whose geometry to use (mm, degrees); its data are not read and need not exist")
      ->type_name("SCAN")
      ->required();
  command
      ->add_option("-o,--output", o->output,
                   fmt::format("line integrals to write: {}", fmt::join(projection_extensions(), " ")))
      ->type_name("FILE")
      ->required();
  add_parameter_flags(*command, describe(o->backend), "Method");
  add_parameter_flags(*command, describe(*o), "Method", &o->given);
  command->add_flag("--timings", o->timings, "time each pass on the device (slower, since it waits for each pass)");
  add_old_variant(*command);
  o->console.add_flags(*command, true);
  command->footer("Example: backlit project head.mha --scan scan.toml -o head.npy");
  command->callback([o, &action] { action = [o] { project(*o); }; });
}

}  // namespace backlit::cli
