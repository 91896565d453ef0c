#include "commands/list_mode_simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/pet/default_grid.hpp>
#include "json_text.hpp"
#include "output_path.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace fs = std::filesystem;

void ListModeFlags::add_flags(CLI::App& app) {
  const std::string group = "List mode";
  app.add_flag("--listmode", on,
               fmt::format("PET events instead of views: {}", fmt::join(savable_titles(list_formats()), ", ")))
      ->group(group);
  app.add_option("--scanner", scanner,
                 fmt::format("scanner file, or a shipped one: {} [{}]", fmt::join(shipped_scanners(), ", "), scanner))
      ->group(group);
  app.add_option("--attenuation", attenuation, "phantom of the attenuation at 511 keV (1/mm)")
      ->type_name("PHANTOM")
      ->group(group);
  app.add_option("--attenuation-output", attenuation_output, "also write that phantom as a volume, for `backlit pet`")
      ->type_name("VOLUME")
      ->group(group);
  add_parameter_flags(app, describe(simulation), group);
}

void simulate_list_mode(ListModeFlags flags, const ListModeJob& job, const Console& console) {
  const fs::path output = job.output;
  std::vector<fs::path> outputs = list_mode_files_saved(output);
  require_writable(output, list_mode_extensions(), static_cast<std::int64_t>(flags.simulation.counts * 32));
  for (const std::string& volume : {job.truth, flags.attenuation_output}) {
    if (volume.empty()) continue;
    require_writable(volume, volume_extensions());
    outputs.push_back(volume);
  }
  if (!flags.attenuation_output.empty() && flags.attenuation.empty())
    throw InputError("--attenuation-output", "there is no attenuation to write", "give --attenuation");
  refuse_overwriting(outputs, {job.phantom, flags.attenuation, flags.scanner});
  const Scanner scanner = load_scanner(flags.scanner);
  const Phantom phantom = scaled(load_phantom(job.phantom), job.scale);
  const Phantom matter = flags.attenuation.empty() ? Phantom() : scaled(load_phantom(flags.attenuation), job.scale);
  flags.simulation.seed = static_cast<std::uint64_t>(job.seed);
  const VolumeGrid grid = chosen_grid(default_pet_grid(scanner), job.grid);

  const auto writer = create_list_mode(output, scanner, simulated_info(scanner, flags.simulation));
  TerminalProgress bar(console.quiet);
  const auto start = std::chrono::steady_clock::now();
  const SimulatedCounts counts =
      simulate_list_mode(scanner, phantom, flags.attenuation.empty() ? nullptr : &matter, flags.simulation,
                         [&](const EventList& events) { writer->write(events); }, {bar, interrupt()});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!job.truth.empty()) {
    Volume truth = voxelize(phantom, grid, 3, {bar, interrupt()});
    for (float& value : truth.values) value *= static_cast<float>(counts.activity);
    save_volume(truth, job.truth, {bar, interrupt()});
  }
  if (!flags.attenuation_output.empty())
    save_volume(voxelize(matter, grid, 3, {bar, interrupt()}), flags.attenuation_output, {bar, interrupt()});
  bar.end();
  interrupt().check();
  writer->commit();

  console.say("phantom", fmt::format("{}: {} bodies", phantom.name, phantom.bodies.size()));
  console.say("scanner", fmt::format("{}: {} crystals", scanner.name, scanner.crystals()));
  console.say("events", fmt::format("{}: {} trues, {} scatter-like, {} randoms", counts.prompts(), counts.trues,
                                    counts.scatters, counts.randoms));
  console.say("activity", fmt::format("{:.6g} decays/(s mm3) for a phantom value of 1", counts.activity));
  console.say("speed", fmt::format("{:.3g} M events/min", static_cast<double>(counts.prompts()) * 60e-6 / seconds));
  console.say("wrote", job.output);
  const nlohmann::ordered_json json{{"phantom", phantom.name},
                                    {"scanner", scanner.name},
                                    {"events", counts.prompts()},
                                    {"trues", counts.trues},
                                    {"scatters", counts.scatters},
                                    {"randoms", counts.randoms},
                                    {"decays", counts.decays},
                                    {"activity", counts.activity},
                                    {"duration_s", flags.simulation.duration_s},
                                    {"seconds", seconds},
                                    {"events_per_s", static_cast<double>(counts.prompts()) / seconds},
                                    {"seed", job.seed},
                                    {"output", job.output},
                                    {"truth", job.truth}};
  console.print_json(json_text(json));
}

}  // namespace backlit::cli
