// Tables of numbers as text, for several formats of geometries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <backlit/geometry/matrix.hpp>
#include <backlit/io/scans/geometry_format.hpp>

namespace backlit {

struct TableRow {
  std::string where;  ///< "file:line"
  std::vector<double> numbers;
};

struct ViewTable {
  std::vector<TableRow> rows;
  std::string comments;
};

/// Lines of numbers; # starts a comment. Reading ends at the line `until`, if that is given. Throws InputError naming
/// the line that holds something else.
ViewTable read_view_table(const GeometryText&, std::string_view until = {});

/// Throws InputError unless the row holds `count` numbers.
void require_numbers(const TableRow&, std::size_t count);

/// The view of a 3x4 matrix; `source_to_detector` as in GeometryText. Throws InputError(where).
View matrix_view(const ProjectionMatrix&, const Detector&, double source_to_detector, const std::string& where);

/// Whether a comment of the text holds this word.
bool comment_holds(const FileFront&, std::string_view word);

}  // namespace backlit
