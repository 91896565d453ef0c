// Tables that can be written as Markdown or HTML.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace backlit::report {

struct TableCell {
  std::string text;
  std::optional<double> value{};  ///< value for sorting numbers; without it the text is used
};

struct TableRow {
  std::vector<TableCell> cells;
  std::string mark{};  ///< style of the row: "failed", "unsupported", "noisy"
};

struct Table {
  struct Column {
    std::string title;
    bool numeric = false;  ///< aligned right
    bool prose = false;    ///< long text, which wraps
  };
  std::vector<Column> columns;
  std::vector<TableRow> rows;
};

TableCell number_cell(double value);
/// An empty cell without a value.
TableCell number_cell(const std::optional<double>&);

/// Escapes text for HTML and XML, in elements and attributes. Control characters, which XML cannot contain, become
/// spaces.
std::string escaped(const std::string&);

std::string to_markdown(const Table&);
/// Columns sort at a click if there are enough rows (the page's script).
std::string to_html(const Table&);

}  // namespace backlit::report
