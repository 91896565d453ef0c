// The former flag --variant of recon, project and pet: an error names the flags that replace it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace backlit::cli {

/// The flags that replace `--variant TEXT`: "draw=compute" becomes "--pipeline compute". "" if none do.
std::string flags_of_variant(const std::string& text);

/// Adds the hidden flags --variant and --back-variant. Each throws InputError that names the new flags.
void add_old_variant(CLI::App&);

}  // namespace backlit::cli
