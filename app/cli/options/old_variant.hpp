// --variant, which recon, project and pet had: an error names the flags that replace it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace backlit::cli {

/// The flags that replace `--variant TEXT`, "" where there are none: "draw=compute" is "--pipeline compute".
std::string flags_of_variant(const std::string& text);

/// --variant and --back-variant, not shown in help; each throws InputError that names the new flags.
void add_old_variant(CLI::App&);

}  // namespace backlit::cli
