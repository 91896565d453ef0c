#include "io/scans/geometries/view_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "io/text_fields.hpp"

namespace backlit {

ViewTable read_view_table(const GeometryText& text, std::string_view until) {
  ViewTable table;
  for (TextLines lines(text.text); lines.next();) {
    std::string_view line = lines.line();
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos) table.comments.append(line.substr(hash)).append("\n");
    line = trimmed(line.substr(0, hash));
    if (!until.empty() && line == until) break;
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", text.name, lines.number());
    table.rows.push_back({where, parse_numbers(line, 0, where, "an entry")});
  }
  return table;
}

bool comment_holds(const FileFront& front, std::string_view word) {
  for (std::size_t at = front.bytes.find(word); at != std::string::npos; at = front.bytes.find(word, at + 1)) {
    const std::size_t line = at == 0 ? 0 : front.bytes.rfind('\n', at - 1) + 1;
    if (front.bytes.find('#', line) < at) return true;
  }
  return false;
}

void require_numbers(const TableRow& row, std::size_t count) {
  if (row.numbers.size() != count)
    throw InputError(row.where, fmt::format("{} numbers where {} are expected", row.numbers.size(), count),
                     "a line holds the 12 of an ASTRA vector or the 4 of a matrix row, all lines the same");
}

View matrix_view(const ProjectionMatrix& p, const Detector& d, double source_to_detector, const std::string& where) {
  try {
    return source_to_detector > 0 ? view_from_matrix_at(p, d, source_to_detector) : view_from_matrix(p, d, d.pixel_u);
  } catch (const Unsupported&) {
    throw;
  } catch (const InputError& e) {
    throw InputError(where, e.what());
  }
}

}  // namespace backlit
