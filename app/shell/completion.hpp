// Completion of a command line in bash and zsh, from its flags themselves.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace backlit {

/// A script that completes subcommands, flags and choices of `app`. `shell`: bash or zsh; InputError for another.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace backlit
