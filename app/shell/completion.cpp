#include "shell/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// The choices "a b c" of an option: of "{a,b,c}" in its type, or of "(a|b|c; ...)" in its help. Empty if it has none.
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string& help = option.get_description();
  std::string choices;
  if (const auto open = type.find('{'); open != std::string::npos) {
    choices = type.substr(open + 1, type.find('}', open) - open - 1);
  } else if (const auto bracket = help.rfind('('); bracket != std::string::npos) {
    choices = help.substr(bracket + 1, help.find_first_of(";)", bracket) - bracket - 1);
    if (choices.find('|') == std::string::npos || choices.find(' ') != std::string::npos) return {};
  }
  std::replace_if(
      choices.begin(), choices.end(), [](char c) { return c == '|' || c == ','; }, ' ');
  return choices;
}

/// Completion words after `name`: one line of choices for each flag that has choices, and one line of all flags.
std::string words_of(const CLI::App& command, const std::string& name) {
  std::string lines, flags;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& flag : option->get_lnames()) {
      flags += " --" + flag;
      if (const std::string choices = choices_of(*option); !choices.empty())
        lines += fmt::format("    '{} --{}') words='{}' ;;\n", name, flag, choices);
    }
  return lines + fmt::format("    '{} '*) case $word in -*) words='{}' ;; esac ;;\n", name, flags.substr(1));
}

std::string bash_script(const CLI::App& app) {
  const std::string& program = app.get_name();
  std::string function = "_" + program, cases, first;
  std::replace(function.begin(), function.end(), '-', '_');
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    cases += words_of(*command, command->get_name());
  }
  if (names.empty())
    cases = words_of(app, "");
  else
    first = fmt::format("  [ \"$COMP_CWORD\" -ne 1 ] || words='{} --help --version'\n", fmt::join(names, " "));
  return fmt::format(
      "# Completes the command line of {0}. {0} made it.\n"
      "{1}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  case \"{2} ${{COMP_WORDS[COMP_CWORD-1]}}\" in\n{3}"
      "  esac\n"
      "{4}"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "}}\n"
      "complete -o bashdefault -o default -F {1} {0}\n",
      program, function, names.empty() ? "" : "${COMP_WORDS[1]}", cases, first);
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_script(app);
  if (shell == "zsh")
    return fmt::format("#compdef {}\nautoload -U +X bashcompinit && bashcompinit\n{}", app.get_name(),
                       bash_script(app));
  throw InputError("completion", fmt::format("'{}' is not known", shell), "choose one of bash, zsh");
}

}  // namespace backlit
