// 3x4 projection matrices as text: 12 numbers a line and view, or three lines of 4.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "io/scans/geometries/view_table.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

std::vector<View> read_matrices(const GeometryText& text, Detector& detector) {
  const ViewTable table = read_view_table(text);
  if (table.rows.empty()) throw InputError(text.name, "it holds no numbers", "give a line of 12 numbers a view");
  const std::size_t lines = table.rows.front().numbers.size() == 4 ? 3 : 1, columns = 12 / lines;
  if (table.rows.size() % lines != 0)
    throw InputError(text.name, fmt::format("{} lines of 4 numbers", table.rows.size()), "a matrix takes three lines");
  std::vector<View> views;
  for (std::size_t i = 0; i < table.rows.size(); i += lines) {
    ProjectionMatrix p;
    for (std::size_t n = 0; n < 12; ++n) {
      const TableRow& row = table.rows[i + n / columns];
      require_numbers(row, columns);
      p[static_cast<int>(n % 4)][static_cast<int>(n / 4)] = row.numbers[n % columns];
    }
    views.push_back(matrix_view(p, detector, text.source_to_detector, table.rows[i].where));
  }
  return views;
}

std::string write_matrices(const Scan& scan, const std::string&) {
  std::string text = "# matrix of each view, row after row: (x, y, z, 1) mm -> (column w, row w, w)\n";
  for (const View& view : scan.views) {
    const ProjectionMatrix p = projection_matrix(scan.detector, view);
    for (int r = 0; r < 3; ++r)
      text += fmt::format("{}{:.17g} {:.17g} {:.17g} {:.17g}", r == 0 ? "" : "  ", p[0][r], p[1][r], p[2][r], p[3][r]);
    text += "\n";
  }
  return text;
}

}  // namespace

GeometryFormat matrices_format() {
  GeometryFormat f;
  f.name = "matrices";
  f.title = "3x4 matrices";
  f.extensions = f.saved_as = {".matrices"};
  f.recognizes = [](const FileFront& front) {
    const std::size_t numbers = numbers_in_first_row(front.bytes);
    return numbers == 4 || (numbers == 12 && comment_holds(front, "matrix"));
  };
  f.read = read_matrices;
  f.write = write_matrices;
  f.notes = "(x, y, z, 1) mm to (column w, row w, w), three lines a view or one";
  return f;
}

}  // namespace backlit::formats
