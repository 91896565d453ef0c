#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "command.hpp"
#include "commands/list_mode_simulation.hpp"
#include "json_text.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace fs = std::filesystem;
namespace {

struct SimulateArguments {
  std::string phantom, scan, output, truth;
  std::int64_t supersample = 1, seed = 1;
  double scale = 1;
  NoiseOptions noise;
  GridOptions grid;
  ListModeFlags list_mode;
  Console console;
};

Parameters describe(SimulateArguments& o) {
  return {{"scale", &o.scale, "factor for the phantom's lengths", "", 1e-6, 1e6},
          {"noise", &o.noise.photons, "photons a pixel without object, for Poisson noise; 0: none", "photons", 0, 1e12},
          {"electronic", &o.noise.electronic, "read-out noise, standard deviation (with --noise)", "photons", 0, 1e9},
          {"seed", &o.seed, "seed of the noise; equal seeds give equal noise", "", 0, 9e18},
          {"supersample", &o.supersample, "rays a pixel side; a pixel is the mean of their integrals", "", 1, 16}};
}

/// "head.npy" -> "head.scan.toml" in the same folder.
fs::path scan_file_beside(fs::path data) { return data.replace_extension(".scan.toml"); }

/// Simulates and writes a few views at a time: the scan may be larger than memory.
void project(const Phantom& phantom, const Scan& scan, const SimulateArguments& o, StackWriter& writer) {
  const std::int64_t views = scan.view_count(), pixels = scan.detector.pixels(), batch = 4;
  std::vector<float> made;
  TerminalProgress bar(o.console.quiet);
  bar.begin("project", views, "views");
  for (std::int64_t first = 0; first < views; first += batch) {
    interrupt().check();
    const std::int64_t n = std::min(batch, views - first);
    made.resize(static_cast<std::size_t>(n * pixels));
    project_phantom(phantom, scan, first, n, static_cast<int>(o.supersample), made);
    for (std::int64_t i = 0; i < n && o.noise.photons > 0; ++i)
      add_noise(o.noise, first + i,
                std::span(made).subspan(static_cast<std::size_t>(i * pixels), static_cast<std::size_t>(pixels)));
    writer.write(made);
    bar.advance(n);
  }
}

void simulate(SimulateArguments o) {
  if (o.list_mode.on) {
    if (!o.scan.empty() || o.noise.photons > 0)
      throw InputError("--listmode", "--scan and --noise do not apply to PET events", "give --scanner and --counts");
    return simulate_list_mode(o.list_mode, {o.phantom, o.output, o.truth, o.scale, o.seed, o.grid}, o.console);
  }
  if (o.scan.empty()) throw InputError("--scan", "is missing", "name a scan file, or give --listmode for PET events");
  o.noise.seed = static_cast<std::uint64_t>(o.seed);
  if (o.noise.electronic > 0 && !(o.noise.photons > 0))
    throw InputError("--electronic", "read-out noise is counted in photons", "give --noise as well");
  const fs::path beside = scan_file_beside(o.output);
  require_writable(o.output, projection_extensions());
  if (!o.truth.empty()) require_writable(o.truth, volume_extensions());
  const Phantom phantom = scaled(load_phantom(o.phantom), o.scale);
  ScanFile file = load_scan_geometry(o.scan);
  std::vector<fs::path> outputs{o.output, beside}, inputs = file.inputs;
  if (!o.truth.empty()) outputs.push_back(o.truth);
  inputs.push_back(o.phantom);
  refuse_overwriting(outputs, inputs);
  const VolumeGrid grid = chosen_grid(file.volume ? *file.volume : base_grid(file.scan, o.grid), o.grid);
  const Detector& d = file.scan.detector;
  const std::int64_t views = file.scan.view_count();
  require_writable(o.output, projection_extensions(), 4 * views * d.pixels());

  const auto projections = create_projections(file.scan, o.output);
  project(phantom, file.scan, o, *projections);
  TerminalProgress bar(o.console.quiet);
  const Volume truth = o.truth.empty() ? Volume() : voxelize(phantom, grid, 3, {bar, interrupt()});
  bar.end();
  interrupt().check();
  projections->commit();
  save_scan(file.scan,
            {.trajectory_toml = file.trajectory_toml,
             .projections = fs::path(o.output).filename().string(),
             .flats = {},
             .darks = {},
             .kind = ScanFile::Kind::line_integrals,
             .volume = grid},
            beside);
  if (!o.truth.empty()) save_volume(truth, o.truth, {bar, interrupt()});

  o.console.say("phantom", fmt::format("{}: {} bodies", phantom.name, phantom.bodies.size()));
  o.console.say("scan", fmt::format("{} views of {} x {} pixels", views, d.columns, d.rows));
  if (o.noise.photons > 0)
    o.console.say("noise", fmt::format("{:.4g} photons a pixel, seed {}", o.noise.photons, o.seed));
  o.console.say("wrote", fmt::format("{}, {}", o.output, beside.string()));
  if (!o.truth.empty()) o.console.say("wrote", fmt::format("{}: {} voxels", o.truth, size_text(grid.size)));
  const nlohmann::ordered_json json{{"phantom", phantom.name},  {"views", views},  {"size", {d.columns, d.rows, views}},
                                    {"noise", o.noise.photons}, {"seed", o.seed},  {"output", o.output},
                                    {"scan", beside.string()},  {"truth", o.truth}};
  o.console.print_json(json_text(json));
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("simulate", "Analytic projections of a phantom, or PET events (--listmode)");
  const auto o = std::make_shared<SimulateArguments>();
  command
      ->add_option("PHANTOM", o->phantom,
                   fmt::format("phantom file (mm, 1/mm), or a shipped one: {}", fmt::join(shipped_phantoms(), ", ")))
      ->required();
  command
      ->add_option("--scan", o->scan,
                   "scan file whose geometry to use (mm, degrees); its data are not read and need not exist")
      ->type_name("SCAN");
  command
      ->add_option("-o,--output", o->output,
                   fmt::format("line integrals to write: {}; NAME.scan.toml appears beside it. PET events: {}",
                               fmt::join(projection_extensions(), " "), fmt::join(list_mode_extensions(), " ")))
      ->type_name("FILE")
      ->required();
  add_parameter_flags(*command, describe(*o), "Simulation");
  command->add_option("--truth", o->truth, "also write the phantom as a volume")->type_name("VOLUME")->group("Volume");
  add_parameter_flags(*command, describe(o->grid), "Volume");
  o->list_mode.add_flags(*command);
  o->console.add_flags(*command, true);
  command->footer(
      "Example: backlit simulate forbild-head --scan cone.scan.toml -o head.npy --noise 1e5\n"
      "         backlit recon head.scan.toml -o head.mha\n"
      "         backlit simulate nema-iq --attenuation nema-iq-mu --listmode --scanner gemini_tf --counts 1e7 -o "
      "iq.cdh");
  command->callback([o, &action] { action = [o] { simulate(*o); }; });
}

}  // namespace backlit::cli
