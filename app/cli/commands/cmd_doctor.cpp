#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "system_report.hpp"

namespace backlit::cli {
namespace {

using nlohmann::ordered_json;

struct DoctorArguments {
  std::string folder = ".";
  Console console;
};

const char* word_for(Finding::State state) {
  if (state == Finding::State::problem) return "problem";
  return state == Finding::State::note ? "note" : "ok";
}

ordered_json json_of(const std::vector<Finding>& findings) {
  auto list = ordered_json::array();
  for (const Finding& f : findings)
    list.push_back({{"state", word_for(f.state)}, {"subject", f.subject}, {"text", f.text}, {"remedy", f.remedy}});
  return {{"findings", list}};
}

void examine(const DoctorArguments& o) {
  std::vector<Finding> findings{examine_disk(o.folder)};
  for (auto list : {examine_machine(), examine_build()}) findings.insert(findings.begin(), list.begin(), list.end());
  for (const Finding& f : findings) {
    o.console.say(word_for(f.state), fmt::format("{:<10} {}", f.subject, f.text));
    if (!f.remedy.empty()) o.console.say("", fmt::format("{:<10} to do: {}", "", f.remedy));
  }
  o.console.print_json(json_text(json_of(findings)));
  const auto problems = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& f) { return f.state == Finding::State::problem; });
  if (problems > 0)
    throw Failure("doctor", fmt::format("{} found", problems == 1 ? "a problem was" : "problems were"), "see above");
}

}  // namespace

std::string version_report() {
  std::string text;
  for (const auto& list : {examine_build(), examine_machine()})
    for (const Finding& f : list) text += fmt::format("{:<10} {}\n", f.subject, f.text);
  return text;
}

void add_doctor(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "Check devices, memory and disk, and say what to do");
  const auto o = std::make_shared<DoctorArguments>();
  command->add_option("FOLDER", o->folder, "folder for results: tests the speed of its disk")->capture_default_str();
  o->console.add_flags(*command, true);
  command->footer(
      "Exit code 1 if a check fails. `backlit --version --verbose` prints the same without the disk, for "
      "reports of faults.");
  command->callback([&action, o] { action = [o] { examine(*o); }; });
}

}  // namespace backlit::cli
