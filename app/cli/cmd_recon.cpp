#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/methods/iterative_fdk.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/render/line_plot.hpp>
#include <backlit/render/png.hpp>
#include "backend_option.hpp"
#include "command.hpp"
#include "grid_option.hpp"
#include "image_data.hpp"
#include "io/volumes/mapped_volume.hpp"
#include "json_text.hpp"
#include "method_flags.hpp"
#include "output_path.hpp"
#include "save_trace.hpp"
#include "scan_advice.hpp"
#include "scan_input.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

struct Options {
  std::string scan;
  std::vector<std::string> outputs;
  std::vector<std::string> residuals;  ///< files for their history
  bool timings = false;                ///< of each pass on the device
  Console console;
  BackendOption backend;
  GridOption grid;
  InputOptions input;
  MethodFlags flags;
  Method method;  ///< from the flags
  std::string trace;
  std::string host_memory;  ///< "64G"; empty takes most of what there is
};

/// Seconds since it was made or last asked.
class Lap {
 public:
  double operator()() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Steps to the end, or throws Cancelled between two work items.
void run_to_end(Reconstruction& reconstruction, const Console& console) {
  TerminalProgress bar(console.quiet);
  std::string stage;
  std::int64_t shown = 0;
  auto status = Reconstruction::Status::more;
  while (status != Reconstruction::Status::finished) {
    interrupt().check();
    status = reconstruction.step();
    const ReconProgress at = reconstruction.progress();
    if (at.stage != stage || at.done < shown) {
      bar.begin(stage = at.stage, at.total, at.unit);
      shown = 0;
    }
    bar.advance(at.done - shown);
    shown = at.done;
  }
}

struct Outcome {
  std::string backend, device, variant;
  std::int64_t views = 0;
  VolumeGrid grid;
  double center_px = 0;
  std::vector<double> residuals;
  std::map<std::string, double> seconds;  ///< by stage
  std::int64_t dead_pixels = 0, replaced_readings = 0;
  double gups = 0;
  std::string stopped_by;
  std::vector<std::pair<std::string, double>> chosen;  ///< by the method itself
  PassTimes passes;
  std::int64_t volume_bytes = 0;  ///< on the device, where the method says so
};

/// The parameters that had an effect.
nlohmann::ordered_json options_of(Method method) {
  auto json = nlohmann::ordered_json::object();
  for (const Parameter& p : method.parameters())
    if (p.needs.empty())
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_pointer_v<std::decay_t<decltype(value)>>)
              json[p.name] = *value;
            else
              json[p.name] = p.text();
          },
          p.target);
  return json;
}

nlohmann::ordered_json to_json(const Outcome& r, const Options& o) {
  nlohmann::ordered_json json{{"method", o.method.name()},
                              {"options", options_of(o.method)},
                              {"backend", r.backend},
                              {"device", r.device},
                              {"variant", r.variant},
                              {"views", r.views},
                              {"size", r.grid.size},
                              {"voxel_mm", {r.grid.spacing.x, r.grid.spacing.y, r.grid.spacing.z}},
                              {"center_px", r.center_px},
                              {"dead_pixels", r.dead_pixels},
                              {"replaced_readings", r.replaced_readings},
                              {"iterations", r.residuals.size()},
                              {"residuals", r.residuals}};
  auto& seconds = json["seconds"] = nlohmann::ordered_json::object();
  for (const char* stage : {"read", "preprocess", "upload", "filter", "backproject", "download", "write"})
    seconds[stage] = r.seconds.contains(stage) ? r.seconds.at(stage) : 0.0;
  for (const auto& [stage, value] : r.seconds) seconds[stage] = value;
  json["gups"] = r.gups;
  if (!r.stopped_by.empty()) json["stopped_by"] = r.stopped_by;
  for (const auto& [name, value] : r.chosen) json["chosen"][name] = value;
  for (const auto& [pass, time] : r.passes) json["passes"][pass] = {{"calls", time.calls}, {"seconds", time.seconds}};
  if (r.volume_bytes > 0) json["volume_bytes"] = r.volume_bytes;
  if (o.outputs.size() == 1)
    json["output"] = o.outputs.front();
  else
    json["output"] = o.outputs;
  return json;
}

void tell(const Outcome& r, const Options& o) {
  const Console& console = o.console;
  console.say("scan", fmt::format("{}: {} views, axis at column {:.2f}", o.scan, r.views, r.center_px));
  const Vec3& s = r.grid.spacing;
  const std::string voxel = s.x == s.y && s.y == s.z ? fmt::format("{:.4g} mm", s.x)
                                                     : fmt::format("{:.4g} x {:.4g} x {:.4g} mm", s.x, s.y, s.z);
  console.say("volume", fmt::format("{} voxels of {}", size_text(r.grid.size), voxel));
  console.say("method", fmt::format("{}, {} ({})", o.method.name(), r.backend, r.variant));
  console.say("device", r.device);
  if (r.volume_bytes > 0)
    console.say("memory",
                fmt::format("{:.0f} MiB of volume on the device", static_cast<double>(r.volume_bytes) / 0x1p20));
  std::string times;
  for (const auto& [stage, value] : r.seconds)
    if (stage != "total" && value >= 0.005) times += fmt::format("{} {:.2f} s, ", stage, value);
  console.say("time", fmt::format("{}total {:.2f} s, {:.3g} GUPS", times, r.seconds.at("total"), r.gups));
  std::string chosen;
  for (const auto& [name, value] : r.chosen) chosen += fmt::format("{}{} {:.4g}", chosen.empty() ? "" : ", ", name, value);
  if (!chosen.empty()) console.say("chosen", chosen);
  if (!r.residuals.empty()) console.say("residual", fmt::format("{:.4g} of the data", r.residuals.back()));
  if (!r.stopped_by.empty())
    console.say("stopped", fmt::format("after {} iterations: {}", r.residuals.size(), r.stopped_by));
  tell_passes(r.passes, console);
  for (const auto& list : {o.outputs, o.residuals})
    for (const auto& output : list) console.say("wrote", output);
}

/// Reads what the options name.
Method with_volumes(Method method, const Console& console) {
  auto* const o = method.get<IterationOptions>();
  if (!o) return method;
  const auto load = [&console](const std::string& name, bool keyword) -> std::shared_ptr<const Volume> {
    if (name.empty() || keyword) return nullptr;
    return std::make_shared<const Volume>(load_shown(name, console));
  };
  o->mask_volume = load(o->mask, o->mask == "cylinder");
  o->initial_volume = load(o->initial, o->starts_filtered());
  o->attenuation_volume = load(o->emission.attenuation, false);
  return method;
}

/// Everything that is wrong with the files a command writes and reads, before the work.
void check_files(const Options& o, const ScanInput& input) {
  std::vector<std::filesystem::path> written{o.outputs.begin(), o.outputs.end()}, read = input.file.inputs;
  written.insert(written.end(), o.residuals.begin(), o.residuals.end());
  if (const auto* const r = o.method.get<IterationOptions>()) {
    if (!r->checkpoint.empty() && r->checkpoint != r->resume) written.emplace_back(r->checkpoint);
    if (!r->initial.empty() && !r->starts_filtered()) read.emplace_back(r->initial);
    for (const std::string& name : {r->mask, r->resume, r->emission.attenuation})
      if (!name.empty() && name != "cylinder") read.emplace_back(name);
  }
  refuse_overwriting(written, read);
}

void save_residuals(const std::vector<double>& residuals, const Options& o) {
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

/// Volumes that do not fit in memory lie beside the output.
void limit_host_memory(const Options& o) {
  const auto folder = std::filesystem::path(o.outputs.front()).parent_path();
  set_host_memory({o.host_memory.empty() ? 0 : byte_size_from(o.host_memory, "--host-memory"),
                   folder.empty() ? std::filesystem::path(".") : folder});
}

/// The last output may take the file that a large volume lies in.
void save(const Volume& volume, const Options& o) {
  TerminalProgress bar(o.console.quiet);
  for (const auto& output : o.outputs) {
    const bool last = &output == &o.outputs.back();
    if (last && save_mapped_volume(volume, output))
      o.console.detail(fmt::format("{} holds the file that the volume was mapped to", output));
    else
      save_volume(volume, output, {bar, interrupt()});
  }
}

/// Seconds of updating voxels. An iteration's hold those of its stages; devices work side by side.
double working_seconds(const std::map<std::string, double>& seconds) {
  if (const auto all = seconds.find("iterate"); all != seconds.end()) return all->second;
  double longest = 0;
  for (const auto& [stage, each] : seconds)
    if (stage.starts_with("backproject")) longest = std::max(longest, each);
  return longest;
}

void reconstruct(Options o) {
  Lap total, lap;
  for (const auto& output : o.outputs) require_writable(output, volume_extensions());
  limit_host_memory(o);
  for (const auto& file : o.residuals) require_writable(file, {".csv", ".png"});
  o.method = o.flags.method();
  if (const auto* const r = o.method.get<IterationOptions>(); r && !r->checkpoint.empty())
    require_writable(r->checkpoint);
  if (!o.residuals.empty() && !o.method.has("iterations"))
    throw InputError("residuals", fmt::format("{} has no iterations", o.method.name()), "choose an iterative method");
  if (!o.trace.empty()) require_writable(o.trace, {".json"});
  const ScanInput input = open_scan_with_data(o.scan, o.input, o.console);
  check_files(o, input);
  o.method = with_volumes(std::move(o.method), o.console);
  if (o.method.get<FdkOptions>() || o.method.get<IterativeFdkOptions>())
    advise_on_fdk(*input.source, input.center_px, o.console);
  for (const auto& output : o.outputs)
    if (!keeps_grid(output)) {
      auto others = volume_extensions();
      std::erase_if(others, [](const std::string& e) { return !keeps_grid("volume" + e); });
      o.console.warn(fmt::format("{}: {} files do not keep the voxel size; {} do", output,
                                 std::filesystem::path(output).extension().string(), fmt::join(others, ", ")));
    }
  interrupt().check();
  Outcome r;
  r.grid = o.grid.apply(input.file.volume ? *input.file.volume : default_grid(input.file.scan));
  for (const auto& output : o.outputs)
    require_writable(output, volume_extensions(), output.ends_with(".gz") ? 0 : 4 * r.grid.voxels());
  const double preparing = lap();

  std::unique_ptr<Backend> backend;  // outlives the reconstruction
  std::unique_ptr<Reconstruction> reconstruction;
  backend = o.backend.make(o.console, [&](Backend& candidate) {
    reconstruction = make_reconstruction(candidate, input.source, r.grid, o.method);
  });
  o.console.detail(fmt::format("variant {}", reconstruction->variant()));
  backend->time_passes(o.timings);
  const double starting = lap();
  run_to_end(*reconstruction, o.console);
  interrupt().check();
  warn_of_repairs(input, o.console);
  if (input.repairs) {
    r.dead_pixels = input.repairs->dead_pixels;
    r.replaced_readings = input.repairs->non_positive_values;
  }
  lap();
  const Volume volume = reconstruction->download();
  const double downloading = lap();
  save(volume, o);
  save_trace(reconstruction->timeline(), o.trace, o.console);

  r.backend = backend->name();
  r.device = o.console.json ? backend->device() : device_text(*backend);
  r.variant = reconstruction->variant();
  r.volume_bytes = reconstruction->volume_bytes();
  r.views = input.file.scan.view_count();
  r.center_px = input.center_px;
  r.residuals.assign(reconstruction->residuals().begin(), reconstruction->residuals().end());
  r.stopped_by = reconstruction->stopped_by();
  r.chosen = reconstruction->chosen();
  if (o.timings) r.passes = backend->pass_times();
  if (!o.residuals.empty()) save_residuals(r.residuals, o);
  r.seconds = reconstruction->seconds();
  r.seconds["preprocess"] += preparing;
  r.seconds["setup"] += starting;
  r.seconds["download"] = downloading;
  r.seconds["write"] = lap();
  r.seconds["total"] = total();
  const double passes = static_cast<double>(std::max<std::size_t>(1, r.residuals.size()));
  const auto updates = static_cast<double>(r.grid.voxels()) * static_cast<double>(r.views) * passes;
  const double seconds = working_seconds(r.seconds);
  if (seconds > 0) r.gups = updates / seconds / 1e9;
  tell(r, o);
  if (o.console.json) o.console.print_json(json_text(to_json(r, o)));
}

}  // namespace

void add_recon(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("recon", "Reconstruct a volume from a scan");
  const auto o = std::make_shared<Options>();
  command->add_option("SCAN", o->scan, "scan file (*.scan.toml), or a container with its own geometry")->required();
  add_volume_outputs(*command, o->outputs);
  o->input.add_flags(*command);
  o->grid.add_flags(*command);
  o->backend.add_flags(*command);
  o->flags.add(*command);
  command
      ->add_option("--residuals", o->residuals,
                   "file for the residual of each iteration: .csv, or .png for a plot; may be repeated")
      ->option_text("FILE")
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--host-memory", o->host_memory,
                   "what arrays may take of the host's memory, as 512M or 64G: larger ones lie in a file without a "
                   "name beside the output (default: three quarters of what there is)")
      ->type_name("SIZE");
  command->add_flag("--timings", o->timings, "time each pass on the device (waits more often, so the whole is slower)");
  command->add_option("--trace", o->trace, "when each stage ran, in Chrome's trace format (FDK on cuda)")
      ->type_name("FILE.json");
  o->console.add_flags(*command, true);
  command->footer(
      "Values are linear attenuation in 1/mm. Ctrl-C stops between two steps and writes nothing.\n"
      "Example: backlit recon tooth.scan.toml -o tooth.mha --center find --voxel 0.5");
  o->flags.add_help(*command);
  command->callback([o, &action] { action = [o] { reconstruct(*o); }; });
}

}  // namespace backlit::cli
