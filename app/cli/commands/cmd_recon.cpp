#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/default_method.hpp>
#include <backlit/recon/method_options.hpp>
#include <backlit/recon/on_failure.hpp>
#include <backlit/render/line_plot.hpp>
#include <backlit/render/png.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "large/ranks/rank_share.hpp"
#include "large/ranks/timelines.hpp"
#include "open_session.hpp"
#include "options/method_flags.hpp"
#include "options/old_variant.hpp"
#include "output_path.hpp"
#include "ranks/one_rank.hpp"
#include "ranks/stages_of_ranks.hpp"
#include "ranks/with_ranks.hpp"
#include "rest_of_scan.hpp"
#include "save_result.hpp"
#include "save_trace.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

struct ReconArguments {
  std::string scan;
  std::vector<std::string> outputs;
  std::vector<std::string> residuals;  ///< files for the residual of each iteration
  bool timings = false;                ///< time each pass on the device
  Console console;
  SessionOptions session;
  MethodFlags flags;
  Method method;            ///< set from the flags
  std::string method_from;  ///< why it is that one; empty: see SessionReport
  std::string trace;
  std::string corrected_scan;  ///< scan file to write, with the corrections of this run
  std::int64_t slabs = 0;      ///< that ranks make; 0: see share_among()
  std::string host_memory;     ///< "64G"; empty takes most of what there is
  bool hounsfield = false;     ///< units of what is written
  std::optional<double> water;
};

/// Checks the files that the command writes and reads, before the work begins.
void check_files(const ReconArguments& o, const Session& session) {
  std::vector<std::filesystem::path> written{o.outputs.begin(), o.outputs.end()}, read = session.file().inputs;
  written.insert(written.end(), o.residuals.begin(), o.residuals.end());
  if (const auto* const r = o.method.get<IterationOptions>()) {
    if (!r->checkpoint.empty() && r->checkpoint != r->resume) written.emplace_back(r->checkpoint);
    if (!r->initial.empty() && !r->starts_filtered()) read.emplace_back(r->initial);
    for (const std::string& name : {r->mask, r->resume, r->emission.attenuation})
      if (!name.empty() && name != "cylinder") read.emplace_back(name);
  }
  if (!o.corrected_scan.empty()) {
    require_folder_of(session.file(), o.corrected_scan);
    written.emplace_back(o.corrected_scan);
  }
  refuse_overwriting(written, read);
  for (const auto& output : o.outputs)
    require_writable(output, volume_extensions(), output.ends_with(".gz") ? 0 : 4 * session.grid().voxels());
}

/// What water attenuates, where Hounsfield units were asked for.
std::optional<double> water_for(const ReconArguments& o, const Session& session) {
  if (!o.hounsfield) return {};
  const auto water = o.water ? o.water : session.file().water;
  if (!water)
    throw InputError("--hu", "the scan does not say what water attenuates", "give it in 1/mm, such as --water 0.02");
  return water;
}

/// What can be refused by names and options alone.
void check_options(const ReconArguments& o) {
  if (o.water && !o.hounsfield)
    throw InputError("--water", "only Hounsfield units need it", "add --hu, or leave it out");
  for (const auto& output : o.outputs) require_writable(output, volume_extensions());
  for (const auto& file : o.residuals) require_writable(file, {".csv", ".png"});
  if (!o.trace.empty()) require_writable(o.trace, {".json"});
  if (!o.corrected_scan.empty()) require_writable(o.corrected_scan, {".scan.toml"});
  if (const auto* const r = o.method.get<IterationOptions>(); r && !r->checkpoint.empty())
    require_writable(r->checkpoint);
  if (!o.residuals.empty() && !o.method.has("iterations"))
    throw InputError("residuals", fmt::format("{} has no iterations", o.method.name()), "choose an iterative method");
}

void save_residuals(const std::vector<double>& residuals, const ReconArguments& o) {
  std::vector<double> iterations;
  std::string csv = "iteration,residual\n";
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    iterations.push_back(static_cast<double>(i + 1));
    csv += fmt::format("{},{}\n", i + 1, residuals[i]);
  }
  for (const auto& file : o.residuals) {
    if (std::filesystem::path(file).extension() == ".csv")
      write_text(file, csv);
    else
      save_png(plot_logarithmic(iterations, residuals, {o.method.name(), "iteration", "|b - Ax| / |b|"}), file);
  }
}

/// Limits host memory, by default to a rank's share of its machine's. Volumes that do not fit are kept in a file beside
/// the output.
void limit_host_memory(const ReconArguments& o, const Ranks* ranks) {
  const auto folder = std::filesystem::path(o.outputs.front()).parent_path();
  const auto limit = [&](std::int64_t bytes) {
    set_host_memory({bytes, folder.empty() ? std::filesystem::path(".") : folder});
  };
  limit(o.host_memory.empty() ? 0 : byte_size_from(o.host_memory, "--host-memory"));
  if (ranks && o.host_memory.empty()) limit(memory_left() / ranks->local_size());
}

/// What must be the same on all ranks, besides the files.
Parameters options_of_all_ranks(ReconArguments& o) {
  Parameters all = o.method.parameters();
  for (Parameter& p : describe(o.session.preparation.corrections)) all.push_back(std::move(p));
  all.emplace_back("slabs", &o.slabs, "");
  all.emplace_back("hu", &o.hounsfield, "");
  all.emplace_back("trace", &o.trace, "");
  return all;
}

/// Formats that lose the voxel size, or whose values are HU.
void warn_of_outputs(const ReconArguments& o) {
  for (const auto& output : o.outputs) {
    if (holds_hounsfield(output) && !o.hounsfield)
      o.console.warn(fmt::format("{}: DICOM viewers take values for HU; --hu writes them", output));
    if (keeps_grid(output)) continue;
    auto others = volume_extensions();
    std::erase_if(others, [](const std::string& e) { return !keeps_grid("volume" + e); });
    o.console.warn(fmt::format("{}: {} files do not keep the voxel size; {} do", output,
                               std::filesystem::path(output).extension().string(), fmt::join(others, ", ")));
  }
}

/// Empty for one process.
struct RanksReport {
  std::string shared;  ///< who shared the work, in words
  std::vector<StageOfRanks> stages;
};

void print(const SessionReport& report, const RanksReport& ranks, const ReconArguments& o) {
  for (const ReportLines& lines : {scan_lines(report), run_lines(report)})
    for (const auto& [name, text] : lines) o.console.say(name, in_flags(text));
  if (!ranks.shared.empty()) o.console.say("ranks", ranks.shared);
  print_passes(report.passes, o.console);
  for (const auto& list : {o.outputs, o.residuals, std::vector<std::string>{o.corrected_scan}})
    for (const auto& output : list)
      if (!output.empty()) o.console.say("wrote", output);
  if (!o.console.json) return;
  auto json = nlohmann::ordered_json::parse(to_json(report));
  if (o.hounsfield) json["unit"] = "HU";
  if (!ranks.shared.empty()) json["ranks"] = ranks.shared;
  for (const StageOfRanks& s : ranks.stages)
    json["seconds_of_ranks"][s.stage] = {{"least", s.least}, {"most", s.most}, {"slowest_rank", s.slowest}};
  if (!o.corrected_scan.empty()) json["corrected_scan"] = o.corrected_scan;
  if (o.outputs.size() == 1)
    json["output"] = o.outputs.front();
  else
    json["output"] = o.outputs;
  o.console.print_json(json_text(json));
}

void check_ranks(Ranks* ranks, const ReconArguments& o) {
  if (o.slabs > 0 && o.method.name() != "fdk")
    throw InputError("--slabs", fmt::format("--method {} makes all slices together", o.method.name()),
                     "leave it out, or use --method fdk");
  if (!ranks && o.slabs == 0) return;
  if (o.session.on_failure != "stop")
    throw InputError("on_failure", "ranks and slabs do not go on with another backend", "leave it out");
}

std::string ranks_text(Ranks& ranks, std::int64_t slices, const std::string& shared) {
  const double mine = static_cast<double>(slices), first = ranks.local_rank() == 0;
  const double machines = ranks.sum(first), most = ranks.maximum(mine), least = ranks.minimum(mine);
  return fmt::format("{} on {} machine{}, {} slices each{}", ranks.size(), machines, machines == 1 ? "" : "s",
                     most == least ? fmt::format("{}", most) : fmt::format("{} to {}", least, most), shared);
}

/// Empty where each rank makes a slab of its own.
std::string sharing_text(Ranks& ranks, const VolumeGrid& grid, const ReconArguments& o) {
  if (o.method.name() != "fdk") return "";
  const int slabs = slabs_of_ranks(grid.size[2], ranks.size(), static_cast<int>(o.slabs)),
            members = ranks.size() / slabs;
  if (slabs > ranks.size()) return fmt::format(" in {} slabs", slabs / ranks.size());
  return members > 1 ? fmt::format(", {} share the views of a slab", members) : "";
}

/// The scan's own method where none is named.
void choose_method(ReconArguments& o, const Session& session, Ranks* ranks) {
  const auto* const filtered = o.method.get<FilteredOptions>();
  if (o.flags.named() || !filtered) return;
  const DefaultMethod usual = default_method(session.scan(), filtered->filter);
  o.method = o.flags.method(usual.name);
  o.method_from = usual.from;
  check_ranks(ranks, o);
}

/// When each stage of all ranks ran; empty where stages ran one after another.
Timeline timeline_of(SessionRun& run, const SavedResult& saved, Ranks* ranks) {
  Timeline stages = run.timeline();
  if (!stages.empty()) stages.insert(stages.end(), saved.spans.begin(), saved.spans.end());
  return ranks ? gather_timelines(*ranks, stages) : stages;
}

void reconstruct(ReconArguments o, const std::shared_ptr<Ranks>& ranks) {
  const bool first = !ranks || ranks->rank() == 0;
  if (!first) be_quiet(o.console);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_since = [](auto then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  };
  o.method = o.flags.method();
  check_ranks(ranks.get(), o);
  if (ranks || o.slabs > 1)
    share_among(ranks ? ranks : std::make_shared<OneRank>(interrupt()), static_cast<int>(o.slabs));
  check_options(o);
  limit_host_memory(o, ranks.get());
  o.session.on_failover = [&o](const std::string& sentence) { o.console.warn(in_flags(sentence)); };
  Session session = open_session(o.scan, o.session, o.console);
  choose_method(o, session, ranks.get());
  if (ranks) require_alike(*ranks, o.method.name(), options_of_all_ranks(o), o.outputs);
  check_files(o, session);
  const std::optional<double> water = water_for(o, session);
  for (const std::string& sentence : session.advice(o.method)) o.console.warn(in_flags(sentence));
  warn_of_outputs(o);

  const SessionReport prepared = session.report();
  for (std::size_t i = 0; i < prepared.corrections.size(); ++i)
    o.console.detail(fmt::format("corrected on {}: {}", prepared.corrected_on[i], prepared.corrections[i]));

  TerminalProgress bar(o.console.quiet);
  const Watch watch(bar, interrupt());
  const auto run = session.start(o.method, watch);
  warn_of_unlike_ranks(run->backend(), o.console);
  o.console.detail(fmt::format("backend {} on {}, {}", run->backend().name(), device_text(run->backend()),
                               in_flags(run->report().backend_from)));
  o.console.detail(fmt::format("variant {}", run->reconstruction().variant()));
  run->backend().time_passes(o.timings);
  run->finish(watch);
  interrupt().check();
  warn_of_repairs(run->report(), o.console);
  const VolumeGrid grid = session.grid();
  const SavedResult saved = save_result(*run, ranks.get(), {grid, o.outputs, water, o.console});
  const std::string shared = ranks ? ranks_text(*ranks, saved.slices, sharing_text(*ranks, grid, o)) : "";
  const Timeline stages = o.trace.empty() ? Timeline() : timeline_of(*run, saved, ranks.get());
  SessionReport report = run->report();
  report.seconds["write"] = saved.seconds;
  report.seconds["total"] = seconds_since(start);
  std::vector<StageOfRanks> of_ranks;
  if (ranks) of_ranks = stages_of_ranks(*ranks, report.seconds);
  if (!first) return;
  save_trace(stages, o.trace, o.console);
  if (!o.corrected_scan.empty()) save_with_corrections(session.file(), session.corrections(), o.corrected_scan);
  report.method_from = o.method_from;
  if (!o.residuals.empty()) save_residuals(report.residuals, o);
  if (ranks) o.console.detail(fmt::format("stages of all ranks: {}", text_of(of_ranks)));
  print(report, {shared, of_ranks}, o);
}

}  // namespace

void add_recon(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("recon", "Reconstruct a volume from a scan");
  const auto o = std::make_shared<ReconArguments>();
  command->add_option("SCAN", o->scan, "scan file (*.scan.toml), or a container with its own geometry")->required();
  add_volume_outputs(*command, o->outputs);
  add_parameter_flags(*command, describe(o->session.preparation), "Preparation");
  std::vector<std::string> rare = add_correction_flags(*command, o->session.preparation);
  command
      ->add_option("--save-corrections", o->corrected_scan,
                   "write a scan file with the corrections of this run, to repeat what --correct auto chose")
      ->type_name("NEW.scan.toml")
      ->group("Corrections");
  add_parameter_flags(*command, describe(o->session.grid), "Volume");
  add_parameter_flags(*command, describe(o->session.device), "Method");
  add_parameter_flags(*command, {failure_parameter(o->session.on_failure)}, "Method");
  o->flags.add(*command);
  add_old_variant(*command);
  command
      ->add_option("--residuals", o->residuals,
                   "file for the residual of each iteration: .csv, or .png for a plot; may be repeated")
      ->option_text("FILE")
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--host-memory", o->host_memory,
                   "limit on host memory for arrays, such as 512M or 64G: larger ones are kept in a file without a "
                   "name beside the output (default: three quarters of the memory, which the ranks of a machine share)")
      ->type_name("SIZE");
  command
      ->add_option(
          "--slabs", o->slabs,
          "with --method fdk: slabs of the volume, each written while the next is read and computed. With ranks: a "
          "multiple of their number, or a divisor of it, where the ranks of a slab share its views (default: "
          "one a rank, while there are slices)")
      ->check(CLI::Range(1, 1 << 20));
  command->add_flag("--hu", o->hounsfield, "write Hounsfield units; water attenuates --water, else what the scan says");
  command->add_option("--water", o->water, "attenuation of water in 1/mm, for --hu")->check(CLI::PositiveNumber);
  command->add_flag("--timings", o->timings, "time each pass on the device (slower, since it waits for each pass)");
  command->add_option("--trace", o->trace, "when each stage ran, in Chrome's trace format (FDK)")
      ->type_name("FILE.json");
  o->console.add_flags(*command, true);
  command->footer(
      "Values are linear attenuation in 1/mm, unless --hu is given. Ctrl-C stops between two steps and writes "
      "nothing.\n"
      "mpirun -n 4 backlit recon ... shares the work among four processes, on one machine or several.\n"
      "Example: backlit recon tooth.scan.toml -o tooth.mha --center find --voxel 0.5");
  for (const char* flag : {"--residuals", "--host-memory", "--hu", "--water", "--timings", "--trace", "--device",
                           "--gpu-memory", "--on-failure", "--slabs", "--grid-center", "--save-corrections"})
    rare.emplace_back(flag);
  o->flags.add_help(*command, rare);
  command->callback([o, &action] {
    action = [o] { with_ranks([&](const std::shared_ptr<Ranks>& ranks) { reconstruct(*o, ranks); }); };
  });
}

}  // namespace backlit::cli
