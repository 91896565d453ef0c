#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/geometry/grid_options.hpp>
#include "command.hpp"
#include "image_data.hpp"
#include "json_text.hpp"
#include "output_path.hpp"

namespace backlit::cli {
namespace {

struct CompareArguments {
  std::string a, b, table;
  std::vector<std::int64_t> slices;  ///< empty, or the first and the last
  Console console;
};

/// Compares slices `first` to `last` of two volumes and ignores all others.
Metrics compare_slices(const Volume& a, const Volume& b, std::int64_t first, std::int64_t last) {
  const auto [nx, ny, nz] = a.grid.size;
  const auto from = static_cast<std::size_t>(nx * ny * first),
             n = static_cast<std::size_t>(nx * ny * (last - first + 1));
  return compare(a.values.span().subspan(from, n), b.values.span().subspan(from, n), {nx, ny, last - first + 1});
}

std::string slice_table(const Volume& a, const Volume& b, std::int64_t first, std::int64_t last) {
  std::string text = "slice,rmse,mean_abs,max_abs,relative_max,relative_l2,ssim\n";
  for (std::int64_t k = first; k <= last; ++k) {
    const Metrics m = compare_slices(a, b, k, k);
    text += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6f}\n", k, m.rmse, m.mean_abs, m.max_abs,
                        m.relative_max, m.relative_l2, m.ssim);
  }
  return text;
}

void compare_files(const CompareArguments& o) {
  if (!o.table.empty()) require_writable(o.table, {".csv"});
  const Volume a = load_block(o.a, o.console), b = load_block(o.b, o.console);
  if (a.grid.size != b.grid.size)
    throw InputError(o.a, fmt::format("has {} values, {} has {}", size_text(a.grid.size), o.b, size_text(b.grid.size)),
                     "give volumes of equal size");
  const double change = glm::length(a.grid.spacing - b.grid.spacing);
  if (change > 1e-6 * glm::length(b.grid.spacing))
    o.console.warn("the two have different voxel sizes; values are compared index by index");
  const std::int64_t end = a.grid.size[2] - 1, first = o.slices.empty() ? 0 : o.slices[0],
                     last = o.slices.empty() ? end : o.slices[1];
  if (first < 0 || last < first || last > end)
    throw InputError("--slices", fmt::format("{} to {}: there are slices 0 to {}", first, last, end),
                     "give the first one and the last one");
  const Metrics m = compare_slices(a, b, first, last);
  if (!o.table.empty()) write_text(o.table, slice_table(a, b, first, last));
  o.console.say("rmse", fmt::format("{:.6g}", m.rmse));
  o.console.say("mean |d|", fmt::format("{:.6g}", m.mean_abs));
  o.console.say("max |d|", fmt::format("{:.6g}", m.max_abs));
  o.console.say("max |d| / max", fmt::format("{:.6g}", m.relative_max));
  o.console.say("rel. L2", fmt::format("{:.6g}", m.relative_l2));
  o.console.say("PSNR", fmt::format("{:.2f} dB", m.psnr_db));
  o.console.say("SSIM", fmt::format("{:.6f}", m.ssim));
  const nlohmann::ordered_json json{{"rmse", m.rmse},
                                    {"mean_abs", m.mean_abs},
                                    {"max_abs", m.max_abs},
                                    {"relative_max", m.relative_max},
                                    {"relative_l2", m.relative_l2},
                                    {"psnr_db", m.psnr_db},
                                    {"ssim", m.ssim}};
  o.console.print_json(json_text(json));
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("compare", "Measure how much two volumes or projection stacks differ");
  const auto o = std::make_shared<CompareArguments>();
  command->add_option("A", o->a, "volume, stack of projections or scan file")->required();
  command->add_option("B", o->b, "the reference: relative L2, PSNR (its range, in dB) and SSIM refer to it")
      ->required();
  command->add_option("--slices", o->slices, "compare only slices (or views) FIRST to LAST, counted from 0")
      ->expected(2)
      ->type_name("FIRST LAST");
  command->add_option("--by-slice", o->table, "also write the measures of each slice alone (SSIM: in its plane)")
      ->type_name("FILE.csv");
  o->console.add_flags(*command, true);
  command->footer(
      "RMSE and differences have the unit of the values (volumes: 1/mm). SSIM: three-dimensional, uniform windows of "
      "7\n"
      "voxels a side. Equal files give a PSNR of null in JSON.\n"
      "Example: backlit compare head.mha truth.mha --json");
  command->callback([o, &action] { action = [o] { compare_files(*o); }; });
}

}  // namespace backlit::cli
