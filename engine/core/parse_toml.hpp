// The only function that parses TOML.
#pragma once

#include <string>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace backlit {

/// Parses `text`; errors show `name` in place of a file. Throws InputError("name:line") for text that is not valid.
/// Text with keys or brackets of more than 16 levels is refused before parsing: the parser is recursive and would run
/// out of stack.
toml::table parse_toml(const std::string& text, const std::string& name);

}  // namespace backlit
