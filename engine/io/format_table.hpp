// The formats as docs/reference/formats.md shows them.
#pragma once

#include <string>

namespace backlit {

/// A Markdown table, a row a format, from the tables of formats.
std::string format_table();

}  // namespace backlit
