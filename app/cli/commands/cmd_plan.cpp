#include "commands/cmd_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/grid_options.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/preparation.hpp>
#include "json_text.hpp"
#include "ranks/rank_plan.hpp"

namespace backlit::cli {
namespace {

using nlohmann::ordered_json;

constexpr double worth_telling = 0.95;  // of the model's time

struct PlanArguments {
  std::string scan;
  PlannedWork work;
  PreparationOptions preparation;
  GridOptions grid;
  Rates rates;
  Console console;
};

VolumeGrid grid_for(const ScanFile& file, const PlanArguments& o) {
  return chosen_grid(file.volume ? *file.volume : base_grid(file.scan, o.grid), o.grid);
}

/// Of a pixel on the disk.
std::int64_t sample_bytes(const ScanFile& file) {
  return file.projections && file.projections->read_counts(0, 0, {}) ? 2 : 4;
}

/// What corrections hold on each rank: corrected views, and those before corrections by means of a volume. What `auto`
/// finds in the views is not known here, and counts as a correction.
std::int64_t corrected_sets(const ScanFile& file, const PreparationOptions& o) {
  const CorrectionOptions base = o.correct == CorrectionSource::file ? file.corrections : CorrectionOptions();
  const CorrectionOptions wanted = over(base, o.corrections), none;
  const bool automatic = o.correct == CorrectionSource::automatic;
  return (automatic || !(projection_corrections(wanted) == none) ? 1 : 0) +
         (volume_corrections(wanted) == none ? 0 : 1);
}

std::string range_text(const IndexRange& range) { return fmt::format("{} - {}", range.first, range.end() - 1); }

void print_table(const RankPlan& plan, const PlanArguments& o) {
  constexpr std::size_t most_lines = 16;
  fmt::print("{:>5} {:>13} {:>13} {:>7} {:>10} {:>10} {:>10} {:>10}\n", "rank", "slices", "rows", "views", "host",
             "device", "reads", "sends");
  for (std::size_t r = 0; r < std::min(plan.ranks.size(), most_lines); ++r) {
    const PlannedRank& rank = plan.ranks[r];
    fmt::print("{:>5} {:>13} {:>13} {:>7} {:>10} {:>10} {:>10} {:>10}\n", r, range_text(rank.slices),
               range_text(rank.rows), rank.views, byte_size_text(rank.host_bytes), byte_size_text(rank.device_bytes),
               byte_size_text(rank.read_bytes), byte_size_text(rank.exchanged_bytes));
  }
  if (plan.ranks.size() > most_lines) fmt::print("  ... and {} more\n", plan.ranks.size() - most_lines);
  if (plan.ranks.front().corrected_bytes > 0)
    fmt::print("corrections: every rank reads all views and holds {}, counted as {} memory\n",
               byte_size_text(plan.ranks.front().corrected_bytes), o.work.cpu ? "host" : "device");
  fmt::print("host, device: memory at a time (with less, a device works in parts); sends: to other ranks, {}\n",
             o.work.iterations > 0 ? "an iteration" : "to add up a slab");
  fmt::print(
      "model     {:.3g} s: read {:.3g}, upload {:.3g} and compute {:.3g}{}, exchange {:.3g}, download {:.3g}, write "
      "{:.3g}\n",
      plan.total(), plan.read, plan.upload, plan.compute, plan.overlaps ? " at once" : "", plan.exchange, plan.download,
      plan.write);
  fmt::print(
      "rates     device {:g} GUPS, filter {:g} Gpixel/s, bus {:g}, disk {:g} (all ranks together), link {:g} GB/s; not "
      "measured here\n",
      plan.rates.device, plan.rates.filter, plan.rates.bus, plan.rates.disk, plan.rates.link);
}

/// What other numbers of slabs would take.
void print_slabs(const RankPlan& plan, const std::vector<RankPlan>& others) {
  if (others.size() < 2) return;
  const auto text = [](const RankPlan& p) { return fmt::format("{} in {:.3g} s", p.slabs, p.total()); };
  std::vector<std::string> all;
  for (const RankPlan& other : others) all.push_back(text(other));
  const RankPlan& best = *std::ranges::min_element(others, {}, &RankPlan::total);
  fmt::print("slabs     {} (model: {}){}\n", plan.slabs, fmt::join(all, ", "),
             best.total() < worth_telling * plan.total() ? fmt::format("; --slabs {} is faster", best.slabs) : "");
}

void print_json(const VolumeGrid& grid, const RankPlan& plan, const std::vector<RankPlan>& others,
                const PlanArguments& o) {
  ordered_json json{{"scan", o.scan}, {"size", grid.size}, {"iterations", o.work.iterations}};
  for (const PlannedRank& rank : plan.ranks)
    json["ranks"].push_back({{"first_slice", rank.slices.first},
                             {"slices", rank.slices.count},
                             {"first_row", rank.rows.first},
                             {"rows", rank.rows.count},
                             {"views", rank.views},
                             {"host_bytes", rank.host_bytes},
                             {"device_bytes", rank.device_bytes},
                             {"corrected_bytes", rank.corrected_bytes},
                             {"read_bytes", rank.read_bytes},
                             {"sent_bytes", rank.exchanged_bytes}});
  json["slabs"] = plan.slabs;
  for (const RankPlan& other : others) json["seconds_by_slabs"][std::to_string(other.slabs)] = other.total();
  json["model_seconds"] = {{"read", plan.read},         {"upload", plan.upload},     {"compute", plan.compute},
                           {"exchange", plan.exchange}, {"download", plan.download}, {"write", plan.write},
                           {"overlaps", plan.overlaps}, {"total", plan.total()}};
  json["rates"] = {{"device_gups", plan.rates.device},
                   {"filter_gpixels_s", plan.rates.filter},
                   {"bus_gb_s", plan.rates.bus},
                   {"disk_gb_s", plan.rates.disk},
                   {"link_gb_s", plan.rates.link}};
  o.console.print_json(json_text(json));
}

void plan(PlanArguments o) {
  const ScanFile file = load_scan(o.scan);
  const VolumeGrid grid = grid_for(file, o);
  o.work.sample_bytes = sample_bytes(file);
  o.work.corrected_sets = corrected_sets(file, o.preparation);
  const RankPlan plan = plan_ranks(grid, file.scan, o.work, o.rates);
  std::vector<RankPlan> by_slabs;
  if (o.work.iterations == 0) by_slabs = plans_by_slabs(grid, file.scan, o.work, o.rates);
  if (o.console.json) return print_json(grid, plan, by_slabs, o);
  fmt::print("{} x {} x {} voxels from {} views of {} x {}, {}\n", grid.size[0], grid.size[1], grid.size[2],
             file.scan.view_count(), file.scan.detector.columns, file.scan.detector.rows,
             o.work.iterations > 0 ? fmt::format("{} iterations", o.work.iterations) : "filtered backprojection");
  print_table(plan, o);
  print_slabs(plan, by_slabs);
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Memory, reading and a model of the time of a scan on several ranks");
  const auto o = std::make_shared<PlanArguments>();
  command->add_option("SCAN", o->scan, "scan file (*.scan.toml), or a container with its own geometry")->required();
  command->add_option("--ranks", o->work.ranks, "processes that share the work (default 1)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command
      ->add_option("--slabs", o->work.slabs,
                   "slabs of the volume in filtered backprojection; the ranks of a slab share its views (default: one "
                   "a rank, while there are slices)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command
      ->add_option("--iterations", o->work.iterations, "of an iterative method; 0 (default): filtered backprojection")
      ->type_name("COUNT")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30).description(""));
  command
      ->add_option_function<std::string>(
          "--precision", [o](const std::string& name) { o->work.precision = precision_from(name); },
          "which measured rate the model takes (exact|fast|half; default fast)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"exact", "fast", "half"}).description(""));
  command->add_flag("--cpu", o->work.cpu, "ranks compute on cpu, which keeps values in double precision");
  add_correction_flags(*command, o->preparation);
  add_parameter_flags(*command, describe(o->grid), "Volume");
  const auto rate = [&](const std::string& flag, double& value, const std::string& meaning) {
    command->add_option(flag, value, value > 0 ? fmt::format("{} (default {:g})", meaning, value) : meaning)
        ->type_name("NUMBER")
        ->check([](const std::string& text) { return std::atof(text.c_str()) > 0 ? "" : text + " is not above 0"; })
        ->group("Rates");
  };
  rate("--device-rate", o->rates.device,
       "backprojection, or half of an iteration, 1e9 voxels a view a second (default: as measured on an H200)");
  rate("--filter-rate", o->rates.filter, "filtering, 1e9 pixels a second, as measured on an H200");
  rate("--bus-rate", o->rates.bus, "GB/s between host and device");
  rate("--disk-rate", o->rates.disk, "GB/s of the disk, all ranks together; a guess");
  rate("--link-rate", o->rates.link,
       "GB/s between a rank and the others; a guess: some 200 between cards of one machine, "
       "0.7 where a slab is shared through host memory (with --cpu, at most that is used)");
  o->console.add_flags(*command, true);
  command->footer(
      "Nothing is read but headers, and nothing is measured: the time is a model from bytes and rates.\n"
      "Example: backlit plan tooth.scan.toml --ranks 4 --disk-rate 5");
  command->callback([o, &action] { action = [o] { plan(*o); }; });
}

}  // namespace backlit::cli
