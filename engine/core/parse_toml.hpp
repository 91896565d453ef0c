// The one place where TOML is parsed.
#pragma once

#include <string>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace backlit {

/// Parses `text`; `name` stands for the file in errors. Throws InputError("name:line") for text that is not valid, and
/// before parsing for keys or brackets of more than 16 levels: the parser calls itself for each and would run out of
/// stack.
toml::table parse_toml(const std::string& text, const std::string& name);

}  // namespace backlit
