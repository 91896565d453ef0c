#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include <backlit/core/printable.hpp>
#include "command.hpp"

namespace backlit::cli {

void Console::add_flags(CLI::App& app, bool with_json) {
  CLI::Option* nothing = app.add_flag("-q,--quiet", quiet, "no progress, no report, no warnings")->group("Output");
  app.add_flag("-v,--verbose", verbose, "more detail: device, variant, choices and their reasons")
      ->group("Output")
      ->excludes(nothing);
  if (with_json) app.add_flag("--json", json, "one JSON object on standard output and nothing else")->group("Output");
}

void Console::say(const std::string& name, const std::string& text) const {
  if (!quiet && !json) fmt::print("{:<10} {}\n", printable(name), printable(text));
}

void Console::warn(const std::string& text) const {
  if (!quiet) write_to_standard_error(fmt::format("backlit: {}\n", printable(text)));
}

void Console::detail(const std::string& text) const {
  if (verbose) write_to_standard_error(fmt::format("backlit: {}\n", printable(text)));
}

void Console::print_json(const std::string& object) const {
  if (json) fmt::print("{}\n", object);
}

void print_passes(const PassTimes& passes, const Console& console) {
  std::vector<std::pair<double, std::string>> lines;
  for (const auto& [pass, time] : passes)
    lines.emplace_back(time.seconds,
                       fmt::format("{:>10.3f} ms in {:>6} calls  {}", 1e3 * time.seconds, time.calls, pass));
  std::sort(lines.rbegin(), lines.rend());
  for (const auto& [seconds, line] : lines) console.say("pass", line);
}

}  // namespace backlit::cli
