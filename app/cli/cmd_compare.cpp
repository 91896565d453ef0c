#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "core/error.hpp"
#include "data/metrics.hpp"
#include "grid_option.hpp"
#include "image_data.hpp"

namespace backlit::cli {
namespace {

struct Options {
  std::string a, b;
  Console console;
};

void compare_files(const Options& o) {
  const Volume a = load_block(o.a, o.console), b = load_block(o.b, o.console);
  if (a.grid.size != b.grid.size)
    throw InputError(o.a,
                     fmt::format("holds {} values, {} holds {}", size_text(a.grid.size), o.b, size_text(b.grid.size)),
                     "only equal sizes compare");
  const double change = glm::length(a.grid.spacing - b.grid.spacing);
  if (change > 1e-6 * glm::length(b.grid.spacing))
    o.console.warn("the two have different voxel sizes; values are compared index by index");
  const Metrics m = compare(a.values.span(), b.values.span(), a.grid.size);
  o.console.say("rmse", fmt::format("{:.6g}", m.rmse));
  o.console.say("mean |d|", fmt::format("{:.6g}", m.mean_abs));
  o.console.say("max |d|", fmt::format("{:.6g}", m.max_abs));
  o.console.say("rel. L2", fmt::format("{:.6g}", m.relative_l2));
  o.console.say("PSNR", fmt::format("{:.2f} dB", m.psnr_db));
  o.console.say("SSIM", fmt::format("{:.6f}", m.ssim));
  const nlohmann::ordered_json json{{"rmse", m.rmse},       {"mean_abs", m.mean_abs},
                                    {"max_abs", m.max_abs}, {"relative_l2", m.relative_l2},
                                    {"psnr_db", m.psnr_db}, {"ssim", m.ssim}};
  o.console.print_json(json.dump(2));
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("compare", "Measure how much two volumes or projection stacks differ");
  const auto o = std::make_shared<Options>();
  command->add_option("A", o->a, "volume, stack of projections or scan file")->required();
  command->add_option("B", o->b, "the reference: relative L2, PSNR (its range, in dB) and SSIM refer to it")
      ->required();
  o->console.add_flags(*command, true);
  command->footer(
      "RMSE and differences have the unit of the values (volumes: 1/mm). SSIM: three-dimensional, uniform windows of "
      "7\n"
      "voxels a side. Equal files give a PSNR of null in JSON.\n"
      "Example: backlit compare head.mha truth.mha --json");
  command->callback([o, &action] { action = [o] { compare_files(*o); }; });
}

}  // namespace backlit::cli
