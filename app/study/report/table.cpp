#include "study/report/table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "study/report/format.hpp"

namespace backlit::report {
namespace {

/// In Markdown a bar ends a cell and a line break ends a table; "<" begins HTML.
std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '`') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

}  // namespace

TableCell number_cell(double value) { return {number(value), value}; }

TableCell number_cell(const std::optional<double>& value) { return value ? number_cell(*value) : TableCell{}; }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
    }
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out = "|", rule = "|";
  for (const auto& column : table.columns) {
    out += fmt::format(" {} |", markdown_text(column.title));
    rule += column.numeric ? " ---: |" : " --- |";
  }
  out += "\n" + rule + "\n";
  for (const TableRow& row : table.rows) {
    out += "|";
    for (const TableCell& cell : row.cells) out += fmt::format(" {} |", markdown_text(cell.text));
    out += "\n";
  }
  return out;
}

std::string to_html(const Table& table) {
  std::string out = "<div class=\"scroll\"><table";
  out += table.rows.size() > 3 ? " class=\"sorts\"><thead><tr>" : "><thead><tr>";
  const auto align = [&](std::size_t i) {
    return table.columns[i].numeric ? " class=\"n\"" : table.columns[i].prose ? " class=\"p\"" : "";
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += fmt::format("<th{} scope=\"col\">{}</th>", align(i), escaped(table.columns[i].title));
  out += "</tr></thead>\n<tbody>\n";
  for (const TableRow& row : table.rows) {
    out += row.mark.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row.mark);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const TableCell& cell = row.cells[i];
      const std::string key =
          cell.value && std::isfinite(*cell.value) ? fmt::format(" data-v=\"{:.9g}\"", *cell.value) : "";
      out += fmt::format("<td{}{}>{}</td>", align(i), key, escaped(cell.text));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace backlit::report
