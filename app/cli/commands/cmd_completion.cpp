// Completion of the command line in bash and zsh, from the flags themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include <backlit/core/error.hpp>
#include "command.hpp"

namespace backlit::cli {
namespace {

/// The choices "a b c" in a help text such as "(a|b|c; ...)"; empty if it lists none.
std::string choices_in(const std::string& help) {
  const auto open = help.rfind('(');
  if (open == std::string::npos) return {};
  std::string choices = help.substr(open + 1, help.find_first_of(";)", open) - open - 1);
  if (choices.find('|') == std::string::npos || choices.find(' ') != std::string::npos) return {};
  for (char& c : choices)
    if (c == '|') c = ' ';
  return choices;
}

/// Completion words of one subcommand: one line of choices for each flag that has choices, and one line of all flags.
std::string words_of(const CLI::App& command) {
  std::string lines, flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) {
      flags += " --" + name;
      if (const std::string choices = choices_in(option->get_description()); !choices.empty())
        lines += fmt::format("    '{} --{}') words='{}' ;;\n", command.get_name(), name, choices);
    }
  return lines +
         fmt::format("    '{} '*) case $word in -*) words='{}' ;; esac ;;\n", command.get_name(), flags.substr(1));
}

std::string bash_script(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    cases += words_of(*command);
  }
  return fmt::format(
      "# Completes the command line of backlit. Made by: backlit completion bash\n"
      "_backlit() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  case \"${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}}\" in\n{}"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -ne 1 ] || words='{} --help --version'\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o bashdefault -o default -F _backlit backlit\n",
      cases, fmt::join(names, " "));
}

void print_completion(const CLI::App& app, const std::string& shell) {
  if (shell != "bash" && shell != "zsh")
    throw InputError("SHELL", fmt::format("no completion for '{}'", shell), "choose one of bash, zsh");
  if (shell == "zsh") fmt::print("#compdef backlit\nautoload -U +X bashcompinit && bashcompinit\n");
  fmt::print("{}", bash_script(app));
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes this command line in bash or zsh");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->required();
  command->footer(
      "bash: backlit completion bash > ~/.local/share/bash-completion/completions/backlit\n"
      "zsh:  backlit completion zsh > FOLDER/_backlit, with FOLDER in $fpath");
  command->callback([&app, &action, shell] { action = [&app, shell] { print_completion(app, *shell); }; });
}

}  // namespace backlit::cli
