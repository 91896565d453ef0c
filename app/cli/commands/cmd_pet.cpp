#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/core/device_failure.hpp>
#include <backlit/core/error.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/normalisation_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/pet/attenuation.hpp>
#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/recon/on_failure.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "options/old_variant.hpp"
#include "output_path.hpp"
#include "ranks/with_ranks.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

struct PetArguments {
  std::string list;
  std::vector<std::string> outputs;
  std::string scanner, crystal_map, attenuation, normalisation, sensitivity_output;
  std::int64_t tof_sign = 1;
  bool every_iteration = false;
  std::string on_failure = "stop";
  Console console;
  DeviceOptions backend;
  GridOptions grid;
  PetOptions pet;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

ListModeFile open_list(const PetArguments& o) {
  if (!o.scanner.empty() && !o.crystal_map.empty())
    throw InputError("--crystal-map", "--scanner names crystals too", "give one of them");
  if (o.tof_sign != 1 && o.tof_sign != -1)
    throw InputError("--tof-sign", fmt::format("is {}", o.tof_sign), "give 1 (dt = t1 - t2) or -1");
  ListModeOptions list;
  list.scanner = o.scanner.empty() ? o.crystal_map : o.scanner;
  list.flip_tof = o.tof_sign < 0;
  return load_list_mode(o.list, list);
}

/// "image.mha" and 3: "image_it3.mha".
std::filesystem::path numbered(const std::filesystem::path& path, std::int64_t iteration) {
  const std::string name = path.filename().string();
  const auto dot = name.ends_with(".nii.gz") ? name.size() - 7 : name.rfind('.');
  return path.parent_path() / fmt::format("{}_it{}{}", name.substr(0, dot), iteration, name.substr(dot));
}

void check_outputs(const PetArguments& o) {
  std::vector<std::filesystem::path> written{o.outputs.begin(), o.outputs.end()}, read{o.list};
  if (!o.sensitivity_output.empty()) written.emplace_back(o.sensitivity_output);
  for (const auto& path : written) require_writable(path, volume_extensions());
  if (!o.pet.checkpoint.empty()) {
    require_writable(o.pet.checkpoint);
    if (o.pet.checkpoint != o.pet.resume) written.emplace_back(o.pet.checkpoint);
  }
  for (const auto& name : {o.attenuation, o.normalisation, o.pet.resume})
    if (!name.empty()) read.emplace_back(name);
  refuse_overwriting(written, read);
}

/// What is reconstructed.
struct Input {
  std::shared_ptr<ListModeSource> events;
  Scanner scanner;
  VolumeGrid grid;
  std::shared_ptr<const Volume> attenuation;
};

/// A run on one backend. Members that come later use those before them.
struct Run {
  std::unique_ptr<Backend> outer;
  std::unique_ptr<PetProblem> problem;
  std::unique_ptr<ListModeEm> em;
  double sensitivity_seconds = 0;

  Backend& backend() { return outer->innermost(); }
};

struct Outcome {
  double events_per_s = 0, total = 0;
  StageSeconds seconds;
  std::string variant;
};

/// Steps to the end, or throws Cancelled between two subsets.
void run_to_end(ListModeEm& em, const PetArguments& o) {
  TerminalProgress bar(o.console.quiet);
  bar.begin("iterate", em.progress().total, "events");
  std::int64_t shown = 0;
  for (auto status = Reconstruction::Status::more; status != Reconstruction::Status::finished;) {
    interrupt().check();
    status = em.step();
    const std::int64_t done = em.progress().done;
    bar.advance(done - shown);
    shown = done;
    if (status == Reconstruction::Status::more || !o.every_iteration) continue;
    const Volume volume = em.download();
    for (const auto& output : o.outputs) save_volume(volume, numbered(output, em.iterations()));
  }
}

void print_summary(const PetArguments& o, const PetProblem& problem, const Sensitivity& s, const VolumeGrid& grid,
                   const ListModeEm& em, const Backend& backend, const Outcome& r) {
  const Console& c = o.console;
  c.say("events", fmt::format("{}{}", problem.events(), problem.with_tof() ? ", with time of flight" : ""));
  c.say("volume", fmt::format("{} voxels of {}", size_text(grid.size), spacing_text(grid.spacing)));
  c.say("lines", r.variant);
  c.say("sensitivity", s.pairs < s.all_pairs ? fmt::format("{} random pairs of {}", s.pairs, s.all_pairs)
                                             : fmt::format("all {} pairs", s.all_pairs));
  c.say("device", device_text(backend));
  std::string times;
  for (const auto& [stage, value] : r.seconds)
    if (value >= 0.005) times += fmt::format("{} {:.2f} s, ", stage, value);
  c.say("time",
        fmt::format("{}total {:.2f} s; {:.4g} M events/s in iterations", times, r.total, 1e-6 * r.events_per_s));
  for (std::size_t i = 0; i < em.likelihoods().size(); ++i)
    c.say("likelihood", fmt::format("{}: {:.10g}", i + 1, em.likelihoods()[i]));
  for (const auto& output : o.outputs) c.say("wrote", output);
}

nlohmann::ordered_json to_json(const PetArguments& o, const PetProblem& problem, const Sensitivity& s,
                               const VolumeGrid& grid, const ListModeEm& em, const Backend& backend, const Outcome& r) {
  nlohmann::ordered_json json{{"events", problem.events()},
                              {"events_per_s", r.events_per_s},
                              {"tof", problem.with_tof()},
                              {"size", grid.size},
                              {"voxel_mm", {grid.spacing.x, grid.spacing.y, grid.spacing.z}},
                              {"iterations", em.iterations()},
                              {"subsets", o.pet.subsets},
                              {"backend", backend.name()},
                              {"device", backend.device()},
                              {"variant", r.variant},
                              {"sensitivity_pairs", s.pairs},
                              {"pairs_in_coincidence", s.all_pairs},
                              {"log_likelihoods", em.likelihoods()}};
  for (const auto& [stage, value] : r.seconds) json["seconds"][stage] = value;
  json["seconds"]["total"] = r.total;
  if (o.outputs.size() == 1)
    json["output"] = o.outputs.front();
  else
    json["output"] = o.outputs;
  return json;
}

/// To the image. Of `known`, a sensitivity of the same image, none is computed.
Volume image_of(const Input& input, const PetArguments& o, const std::optional<Sensitivity>& known, Run& run) {
  TerminalProgress bar(o.console.quiet);
  run.outer = start_backend(o.backend, o.console, [&](Backend& candidate) {
    require_list_mode(candidate.innermost(), input.grid, o.pet.pipeline);
  });
  run.problem =
      std::make_unique<PetProblem>(run.backend(), input.events, input.scanner, input.grid, o.pet, input.attenuation);
  if (!o.normalisation.empty()) run.problem->set_normalisation(load_normalisation(o.normalisation, input.scanner));
  if (known) run.problem->set_sensitivity(*known);
  const auto start = std::chrono::steady_clock::now();
  run.problem->sensitivity({bar, interrupt()});
  run.sensitivity_seconds = seconds_since(start);
  run.em = run.problem->reconstruction({bar, interrupt()});
  run_to_end(*run.em, o);
  return run.em->download();
}

/// On the other backend, from the run's last checkpoint if there is one.
Volume go_on(const Input& input, PetArguments o, const DeviceFailure& failure, Run& run) {
  const std::string failed = run.outer ? run.backend().name() : o.backend.backend;
  const std::optional<Sensitivity> known = run.problem ? run.problem->known_sensitivity() : std::nullopt;
  const std::string checkpoint = run.em ? run.em->checkpoint() : "";
  if (!checkpoint.empty()) o.pet.resume = checkpoint;
  o.pet.resume_elsewhere = true;
  o.console.warn(going_on(failed, failure, o.on_failure, o.pet.resume));
  run.em.reset();
  run.problem.reset();
  run.outer.reset();
  o.backend = {};
  o.backend.backend = o.on_failure;
  return image_of(input, o, known, run);
}

Volume image_of(const Input& input, const PetArguments& o, Run& run) try {
  return image_of(input, o, std::nullopt, run);
} catch (const DeviceFailure& failure) {
  if (o.on_failure == "stop") throw;
  return go_on(input, o, failure, run);
}

void reconstruct(PetArguments o, const std::shared_ptr<Ranks>& ranks) {
  const auto start = std::chrono::steady_clock::now();
  const bool first = !ranks || ranks->rank() == 0;
  if (!first) be_quiet(o.console);
  if (ranks && o.on_failure != "stop")
    throw InputError("--on-failure", "ranks do not go on with another backend",
                     "leave it out, and resume a checkpoint");
  check(o.pet);
  check_outputs(o);
  read_files(o.pet);
  ListModeFile file = open_list(o);
  Input input;
  input.scanner = file.scanner;
  input.events = std::move(file.events);
  input.grid = chosen_grid(default_pet_grid(input.scanner, input.events->info().places), o.grid);
  for (const auto& output : o.outputs) require_writable(output, volume_extensions(), 4 * input.grid.voxels());
  if (o.on_failure != "stop")  // what the other backend refuses is refused before any work
    require_list_mode(make_backend(o.on_failure)->innermost(), input.grid, o.pet.pipeline);
  TerminalProgress bar(o.console.quiet);
  input.attenuation = load_attenuation(o.attenuation, input.grid, {bar, interrupt()});
  if (ranks) require_alike(*ranks, "pet", describe(o.pet), o.outputs);
  if (!first) o.every_iteration = false;
  Run run;
  const Volume volume = image_of(input, o, run);
  if (!first) return;  // all have the image
  PetProblem& problem = *run.problem;
  const ListModeEm& em = *run.em;
  Outcome r;
  r.seconds["sensitivity"] = run.sensitivity_seconds;
  const auto lap = std::chrono::steady_clock::now();
  for (const auto& output : o.outputs) save_volume(volume, output, {bar, interrupt()});
  if (!o.sensitivity_output.empty()) save_volume(problem.sensitivity_image(), o.sensitivity_output);
  r.seconds["write"] = seconds_since(lap);
  for (const auto& [stage, value] : em.seconds()) r.seconds[stage] = value;
  r.total = seconds_since(start);
  r.variant = em.variant();
  const auto events = static_cast<double>(problem.events()) * static_cast<double>(em.iterations());
  r.events_per_s = events / std::max(1e-9, r.seconds["iterate"]);
  const Sensitivity& sensitivity = problem.sensitivity();
  print_summary(o, problem, sensitivity, input.grid, em, run.backend(), r);
  if (o.console.json)
    o.console.print_json(json_text(to_json(o, problem, sensitivity, input.grid, em, run.backend(), r)));
}

}  // namespace

void add_pet(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("pet", "Reconstruct activity from PET list mode");
  const auto o = std::make_shared<PetArguments>();
  command
      ->add_option("LISTMODE", o->list,
                   fmt::format("list of PET events: {}", fmt::join(readable_titles(list_formats()), ", ")))
      ->required();
  add_volume_outputs(*command, o->outputs);
  command->add_option("--scanner", o->scanner, "name or file of the scanner (default: the one beside the list)")
      ->type_name("SCANNER");
  command->add_option("--crystal-map", o->crystal_map, "table of crystals, for lists that use one")->type_name("FILE");
  command->add_option("--tof-sign", o->tof_sign, "1: times are t1 - t2; -1: t2 - t1 (default 1)")->type_name("SIGN");
  command
      ->add_option("--attenuation", o->attenuation, "attenuation in 1/mm: a volume, any format and grid, or a phantom")
      ->type_name("VOLUME|PHANTOM");
  command
      ->add_option("--normalisation", o->normalisation,
                   "CASToR normalisation (.cdh): the pairs that the sensitivity is made of, with their factors")
      ->type_name("FILE");
  command->add_option("--sensitivity-output", o->sensitivity_output, "file for the sensitivity image")
      ->type_name("VOLUME");
  command->add_flag("--every-iteration", o->every_iteration, "write each iteration's image too, as NAME_itN");
  add_parameter_flags(*command, describe(o->grid), "Volume");
  add_parameter_flags(*command, describe(o->backend), "Method");
  add_parameter_flags(*command, describe(o->pet), "Method");
  add_parameter_flags(*command, {failure_parameter(o->on_failure)}, "Method");
  add_old_variant(*command);
  o->console.add_flags(*command, true);
  command->footer(
      "Values are decays per s and mm^3 (kBq/ml) if crystal sizes are known; otherwise relative.\n"
      "Ctrl-C stops between two subsets; only the files of --every-iteration and --checkpoint are kept.\n"
      "Example: backlit pet scan.cdh -o image.mha --iterations 3 --subsets 33 --attenuation mu.mha");
  command->callback([o, &action] {
    action = [o] { with_ranks([&](const std::shared_ptr<Ranks>& ranks) { reconstruct(*o, ranks); }); };
  });
}

}  // namespace backlit::cli
