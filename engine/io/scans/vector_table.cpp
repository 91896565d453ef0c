// Plain text: ASTRA's cone_vec and parallel3d_vec, 3x4 matrices, and the view files of plastimatch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include "io/scans/geometry_formats.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace {

struct Row {
  std::string where;  ///< "file:line"
  std::vector<double> numbers;
};

struct Table {
  std::vector<Row> rows;
  std::string comments;
};

/// Lines of numbers; # starts a comment. Reading ends at the line `until`, if that is given.
Table read_table(const std::string& text, const std::string& name, std::string_view until = {}) {
  Table table;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos) table.comments.append(line.substr(hash)).append("\n");
    line = trimmed(line.substr(0, hash));
    if (!until.empty() && line == until) break;
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", name, number);
    table.rows.push_back({where, parse_numbers(line, 0, where, "an entry")});
  }
  return table;
}

Vec3 triple(const Row& row, std::size_t first) {
  return {row.numbers[first], row.numbers[first + 1], row.numbers[first + 2]};
}

void require_numbers(const Row& row, std::size_t count) {
  if (row.numbers.size() != count)
    throw InputError(row.where, fmt::format("{} numbers where {} are expected", row.numbers.size(), count),
                     "a line holds the 12 of an ASTRA vector or the 4 of a matrix row, all lines the same");
}

View vector_view(const Row& row, Beam beam) {
  View view;
  view.beam = beam;
  if (beam == Beam::cone) {
    view.source = triple(row, 0);
  } else {
    const Vec3 to_source = triple(row, 0);
    if (!(glm::length(to_source) > 0)) throw InputError(row.where, "the ray direction is zero");
    view.direction = -glm::normalize(to_source);
  }
  view.center = triple(row, 3);
  view.u = triple(row, 6);
  view.v = triple(row, 9);
  return view;
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

/// plastimatch: image centre (column, row); three matrix rows, relative to that centre; SAD; SID; then what we need
/// not.
View plastimatch_view(const std::string& text, const std::string& name, const Detector& d) {
  const Table table = read_table(text, name, "Extrinsic");
  constexpr std::size_t lengths[] = {2, 4, 4, 4, 1, 1, 3};
  if (table.rows.size() != std::size(lengths))
    throw InputError(name, fmt::format("{} lines of numbers before Extrinsic", table.rows.size()),
                     "plastimatch writes the image's centre, three matrix rows, SAD, SID and the normal");
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].numbers.size() != lengths[i])
      throw InputError(table.rows[i].where,
                       fmt::format("{} numbers where plastimatch writes {}", table.rows[i].numbers.size(), lengths[i]));
  const auto number = [&](std::size_t row, std::size_t i) { return table.rows[row].numbers[i]; };
  ProjectionMatrix p;
  for (int c = 0; c < 4; ++c) {
    const auto i = static_cast<std::size_t>(c);
    p[c] = Vec3(number(1, i) + number(0, 0) * number(3, i), number(2, i) + number(0, 1) * number(3, i), number(3, i));
  }
  if (!(number(5, 0) > 0)) throw InputError(table.rows[5].where, "the distance to the image (SID) is not positive");
  return matrix_view(p, d, number(5, 0), name);
}

}  // namespace

std::vector<View> read_vector_table(const std::string& text, const std::string& name, const Detector& d,
                                    double source_to_detector) {
  if (text.find("Extrinsic") != std::string::npos) return {plastimatch_view(text, name, d)};
  const Table table = read_table(text, name);
  std::vector<View> views;
  if (table.rows.empty()) throw InputError(name, "it holds no numbers", "give a line of 12 numbers a view");
  const bool matrices = table.comments.find("matrix") != std::string::npos;
  if (table.rows.front().numbers.size() != 4) {
    const Beam beam = table.comments.find("parallel3d_vec") != std::string::npos ? Beam::parallel : Beam::cone;
    for (const Row& row : table.rows) {
      require_numbers(row, 12);
      ProjectionMatrix p;
      for (std::size_t i = 0; i < 12; ++i) p[static_cast<int>(i % 4)][static_cast<int>(i / 4)] = row.numbers[i];
      views.push_back(matrices ? matrix_view(p, d, source_to_detector, row.where) : vector_view(row, beam));
    }
    return views;
  }
  if (table.rows.size() % 3 != 0)
    throw InputError(name, fmt::format("{} lines of 4 numbers", table.rows.size()), "a matrix takes three lines");
  for (std::size_t i = 0; i < table.rows.size(); i += 3) {
    ProjectionMatrix p;
    for (std::size_t r = 0; r < 3; ++r) {
      require_numbers(table.rows[i + r], 4);
      for (std::size_t c = 0; c < 4; ++c) p[static_cast<int>(c)][static_cast<int>(r)] = table.rows[i + r].numbers[c];
    }
    views.push_back(matrix_view(p, d, source_to_detector, table.rows[i].where));
  }
  return views;
}

std::string write_vector_table(const Scan& scan, const std::string& name) {
  if (scan.detector.shape == Detector::Shape::curved)
    throw Unsupported(name, "ASTRA tables hold no curved detectors", "write RTK XML");
  const bool parallel = scan.beam() == Beam::parallel;
  std::string text = parallel ? "# parallel3d_vec: ray (to the source), detector centre, u, v; mm\n"
                              : "# cone_vec: source, detector centre, u, v; mm\n";
  for (const View& view : scan.views) {
    const Vec3 parts[] = {parallel ? -view.direction : view.source, view.center, view.u, view.v};
    for (const Vec3& a : parts)
      text += fmt::format("{}{:.17g} {:.17g} {:.17g}", &a == parts ? "" : "  ", a.x, a.y, a.z);
    text += "\n";
  }
  return text;
}

std::string write_matrices(const Scan& scan) {
  std::string text = "# matrix of each view, row after row: (x, y, z, 1) mm -> (column w, row w, w)\n";
  for (const View& view : scan.views) {
    const ProjectionMatrix p = projection_matrix(scan.detector, view);
    for (int r = 0; r < 3; ++r)
      text += fmt::format("{}{:.17g} {:.17g} {:.17g} {:.17g}", r == 0 ? "" : "  ", p[0][r], p[1][r], p[2][r], p[3][r]);
    text += "\n";
  }
  return text;
}

}  // namespace backlit
