#include "core/parse_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

constexpr int most_levels = 16;

/// The end of the string that begins at `at`: behind its closing quotes, or the line's end when they are missing.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool literal = quote == '\'';
  const std::string_view three = literal ? "'''" : "\"\"\"";
  const bool several_lines = text.substr(at, 3) == three;
  for (at += several_lines ? 3 : 1; at < text.size(); ++at) {
    if (!several_lines && text[at] == '\n') return at;
    if (!literal && text[at] == '\\') {
      ++at;
    } else if (!several_lines && text[at] == quote) {
      return at + 1;
    } else if (several_lines && text.substr(at, 3) == three) {
      at += 3;
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;  // quotes of the text itself
      return at;
    }
  }
  return text.size();
}

/// Counts dots in a row of names, and open brackets, outside strings and comments.
void check_levels(std::string_view text, const std::string& name) {
  int dots = 0, brackets = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
    if (c == '[' || c == '{') ++brackets;
    if (c == ']' || c == '}') --brackets;
    if (dots >= most_levels || brackets > most_levels) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      throw InputError(fmt::format("{}:{}", name, line),
                       fmt::format("{} of more than {} levels", dots > 0 ? "a key" : "lists or tables", most_levels),
                       "Backlit's files need fewer");
    }
    ++at;
  }
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& name) {
  check_levels(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}", name, error.source().begin.line),
                     fmt::format("not valid TOML: {}", error.description()));
  }
}

}  // namespace backlit
