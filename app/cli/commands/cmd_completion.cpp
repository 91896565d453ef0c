// Prints the completion of the command line for a shell.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "shell/completion.hpp"

namespace backlit::cli {

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes this command line in bash or zsh");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->required();
  command->footer(
      "bash: backlit completion bash > ~/.local/share/bash-completion/completions/backlit\n"
      "zsh:  backlit completion zsh > FOLDER/_backlit, with FOLDER in $fpath");
  command->callback(
      [&app, &action, shell] { action = [&app, shell] { fmt::print("{}", completion_script(app, *shell)); }; });
}

}  // namespace backlit::cli
