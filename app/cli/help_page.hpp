// Help text for the terminal: lines that fit, and no two blank lines in a row.
#pragma once

#include <cstddef>
#include <string>

namespace backlit::cli {

/// Breaks lines longer than `width` at spaces and after |. Continued lines of an option are indented by `indent`
/// columns.
std::string help_page(const std::string& text, std::size_t width = 100, std::size_t indent = 34);

}  // namespace backlit::cli
