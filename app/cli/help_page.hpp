// Help as it is printed: lines that fit a terminal, no two blank ones after each other.
#pragma once

#include <cstddef>
#include <string>

namespace backlit::cli {

/// Breaks lines longer than `width` at spaces and behind |. What follows an option goes on `indent` columns from the
/// left.
std::string help_page(const std::string& text, std::size_t width = 100, std::size_t indent = 34);

}  // namespace backlit::cli
