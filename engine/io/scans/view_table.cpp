#include "io/scans/view_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "io/text_fields.hpp"

namespace backlit {
namespace {

/// Calls `row(line, number)` for each line up to `until`, without its comment, and `comment(text)`, while `row` is
/// true.
template <class Row, class Comment>
void each_line(std::string_view text, std::string_view until, Row&& row, Comment&& comment) {
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos) comment(line.substr(hash));
    line = trimmed(line.substr(0, hash));
    if (!until.empty() && line == until) return;
    if (!line.empty() && !row(line, number)) return;
  }
}

}  // namespace

ViewTable read_view_table(const GeometryText& text, std::string_view until) {
  ViewTable table;
  each_line(
      text.text, until,
      [&](std::string_view line, int number) {
        const std::string where = fmt::format("{}:{}", text.name, number);
        table.rows.push_back({where, parse_numbers(line, 0, where, "an entry")});
        return true;
      },
      [&](std::string_view comment) { table.comments.append(comment).append("\n"); });
  return table;
}

std::size_t numbers_in_first_row(const FileFront& front) {
  std::size_t count = 0;
  each_line(
      front.bytes, {},
      [&](std::string_view line, int) {
        try {
          count = parse_numbers(line, 0, {}, {}).size();
        } catch (const InputError&) {
        }
        return false;
      },
      [](std::string_view) {});
  return count;
}

bool comment_holds(const FileFront& front, std::string_view word) {
  bool found = false;
  each_line(
      front.bytes, {}, [](std::string_view, int) { return true; },
      [&](std::string_view comment) { found = found || comment.find(word) != std::string_view::npos; });
  return found;
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
