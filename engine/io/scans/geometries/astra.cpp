// ASTRA's cone_vec and parallel3d_vec: 12 numbers a line and view.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "io/scans/geometries/view_table.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

Vec3 triple(const TableRow& row, std::size_t first) {
  return {row.numbers[first], row.numbers[first + 1], row.numbers[first + 2]};
}

View vector_view(const TableRow& row, Beam beam) {
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

std::vector<View> read_vectors(const GeometryText& text, Detector&) {
  const ViewTable table = read_view_table(text);
  if (table.rows.empty()) throw InputError(text.name, "it holds no numbers", "give a line of 12 numbers a view");
  const Beam beam = table.comments.find("parallel3d_vec") != std::string::npos ? Beam::parallel : Beam::cone;
  std::vector<View> views;
  for (const TableRow& row : table.rows) {
    require_numbers(row, 12);
    views.push_back(vector_view(row, beam));
  }
  return views;
}

std::string write_vectors(const Scan& scan, const std::string& name) {
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

}  // namespace

GeometryFormat astra_format() {
  GeometryFormat f;
  f.name = "astra";
  f.title = "ASTRA vectors";
  f.extensions = f.saved_as = {".txt"};
  f.recognizes = [](const FileFront& front) {
    return numbers_in_first_row(front.bytes) == 12 && !comment_holds(front, "matrix");
  };
  f.read = read_vectors;
  f.write = write_vectors;
  f.notes = "`cone_vec`, and `parallel3d_vec` where a comment says so";
  return f;
}

}  // namespace backlit::formats
