#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>
#include "command.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

struct DemoArguments {
  std::string folder = "backlit-demo", backend = "auto";
};

std::string typed(const std::string& word) { return word.find(' ') == std::string::npos ? word : "'" + word + "'"; }

/// Runs a command line of backlit in this process, after printing it as a user would type it.
void run_command(const std::string& meaning, std::vector<std::string> words) {
  fmt::print("\n# {}\nbacklit", meaning);
  for (const std::string& word : words) fmt::print(" {}", typed(word));
  fmt::print("\n");
  std::fflush(stdout);
  CLI::App app;
  Action action;
  add_commands(app, action);
  std::reverse(words.begin(), words.end());  // CLI11 expects the words in reverse order
  app.parse(words);
  action();
}

void show(const DemoArguments& o) {
  const auto start = std::chrono::steady_clock::now();
  std::error_code error;
  std::filesystem::create_directories(o.folder, error);
  if (error)
    throw InputError("--output", fmt::format("{} cannot be made: {}", o.folder, error.message()),
                     "name another folder");
  const auto file = [&](const char* name) { return (std::filesystem::path(o.folder) / name).string(); };
  const std::string scan = (asset_folder("scans") / "demo-cone.scan.toml").string();

  run_command("A cone-beam scan of the FORBILD head: exact line integrals, with the noise of 4e6 photons a pixel",
              {"simulate", "forbild-head", "--scan", scan, "-o", file("head.npy"), "--noise", "4e6", "--seed", "1",
               "--supersample", "2", "--truth", file("truth.mha")});
  run_command("Its reconstruction", {"recon", file("head.scan.toml"), "-o", file("head.mha"), "--backend", o.backend,
                                     "--filter", "hann", "--cutoff", "0.9"});
  run_command("Error against the true volume (values in 1/mm, water is 0.02)",
              {"compare", file("head.mha"), file("truth.mha")});
  run_command(
      "A picture: three slices in a wide and a narrow window, the truth, and the difference",
      {"render", file("head.mha"), "-o", file("head.png"), "--mode", "sheet", "--truth", file("truth.mha"), "--quiet",
       "--window", "0,0.04", "--narrow", "0.0195,0.0225", "--title", "FORBILD head: cone beam, 480 views, FDK"});

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("\nDone in {}. The picture is {}\nTo view the volume: backlit-view {}\n", duration_text(seconds),
             file("head.png"), file("head.scan.toml"));
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("demo", "Simulate a scan, reconstruct it and draw it: the first minute");
  const auto o = std::make_shared<DemoArguments>();
  command
      ->add_option("-o,--output", o->folder, "folder for the scan, the volume and the picture (default: backlit-demo)")
      ->type_name("FOLDER");
  command->add_option("--backend", o->backend, "backend: auto, cpu, gl, cuda (default: auto)")->type_name("NAME");
  command->footer("It prints every command that it runs: use them as examples.");
  command->callback([&action, o] { action = [o] { show(*o); }; });
}

}  // namespace backlit::cli
