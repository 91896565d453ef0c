// Tables that can be written as Markdown and as HTML.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace backlit::report {

struct TableCell {
  std::string text;
  std::optional<double> value{};  ///< what to sort by where the text is a number; without: the text
};

struct TableRow {
  std::vector<TableCell> cells;
  std::string mark{};  ///< "failed", "unsupported", "noisy": how the row looks
};

struct Table {
  struct Column {
    std::string title;
    bool numeric = false;  ///< set flush right
    bool prose = false;    ///< long text, set in lines
  };
  std::vector<Column> columns;
  std::vector<TableRow> rows;
};

TableCell number_cell(double value);
/// Nothing where there is no value.
TableCell number_cell(const std::optional<double>&);

/// Text for HTML and XML, in elements and attributes; control characters, which XML cannot hold, become spaces.
std::string escaped(const std::string&);

std::string to_markdown(const Table&);
/// Columns sort at a click where there are enough rows (the page's script).
std::string to_html(const Table&);

}  // namespace backlit::report
